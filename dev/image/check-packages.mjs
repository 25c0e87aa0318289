/**
 * Imports the packages of an image of which `keep-what-runs.sh` removes a part, so that the build
 * fails when a new version of a package needs that part. Run it in the folder of the image.
 */
const REDUCED = [
  'harfbuzzjs',
  'pdfjs-dist/build/pdf.worker.min.mjs',
  'pino',
  'google-auth-library',
  // It has fetch-blob for the streams.
  '@google-cloud/kms',
  '@google-cloud/storage',
]

for (const name of REDUCED) await import(name)
