// Reads a PNG file (base64) and gives its pixels as numbers of a palette of at most 256 colours.
async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = canvas.getImageData(0, 0, width, height).data;
  // Colours that are almost equal share a bucket; the fullest buckets become the palette.
  const buckets = new Map();
  const bucketOf = (i) => ((pixels[i] >> 2) << 12) | ((pixels[i + 1] >> 2) << 6) | (pixels[i + 2] >> 2);
  for (let i = 0; i < pixels.length; i += 4) {
    const key = bucketOf(i);
    const found = buckets.get(key) ?? [0, 0, 0, 0];
    for (let c = 0; c < 3; c += 1) found[c] += pixels[i + c];
    found[3] += 1;
    buckets.set(key, found);
  }
  const fullest = [...buckets.entries()].sort((a, b) => b[1][3] - a[1][3]).slice(0, 256);
  const palette = fullest.map(([, [r, g, b, n]]) => [r, g, b].map((sum) => Math.round(sum / n)));
  const nearest = new Map(fullest.map(([key], i) => [key, i]));
  const distance = (i, [r, g, b]) => (pixels[i] - r) ** 2 + (pixels[i + 1] - g) ** 2 + (pixels[i + 2] - b) ** 2;
  const indices = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i += 4) {
    const key = bucketOf(i);
    if (!nearest.has(key)) {
      let best = 0;
      palette.forEach((colour, k) => { if (distance(i, colour) < distance(i, palette[best])) best = k; });
      nearest.set(key, best);
    }
    indices[i / 4] = nearest.get(key);
  }
  const parts = [];
  for (let i = 0; i < indices.length; i += 32768) parts.push(String.fromCharCode(...indices.subarray(i, i + 32768)));
  return { width, height, palette: palette.flat(), indices: btoa(parts.join("")) };
}
