#!/bin/sh
# Removes from the packages of an image what no process of a cluster reads: sh keep-what-runs.sh FOLDER. The folder
# has the packages in `node_modules`: `fill-image.ts` puts those there that the bundles load.
set -eu
cd "$1/node_modules"
# Types, source maps and prose. Licences stay.
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.flow' \
  -o -name '*.md' -o -name '*.markdown' -o -name '*.tsbuildinfo' -o -name '.*' \) \
  ! -iname '*licen[cs]e*' ! -iname '*notice*' -delete
find . -type d \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks \
  -o -name example -o -name examples \) -prune -exec rm -rf {} +
# The second reader of documents is one file of pdf.js; browsers get the rest with the pages.
(
  cd pdfjs-dist
  find . -type f ! -path ./build/pdf.worker.min.mjs ! -name package.json ! -iname '*licen[cs]e*' -delete
)
# The three faces that documents are written in: pades/appearance/font.ts.
find dejavu-fonts-ttf -name '*.ttf' ! -name DejaVuSans.ttf ! -name DejaVuSans-Bold.ttf ! -name DejaVuSansMono.ttf -delete
rm -f dejavu-fonts-ttf/*.txt
# Regular Noto fonts, one format of each: pades/appearance/noto-fonts.ts. The Chinese font is about a hundred files
# and the list of what each has.
find @fontsource -type f ! -name '*-400-normal.woff' ! -name unicode.json ! -name package.json \
  ! -iname '*licen[cs]e*' -delete
find @fontsource -name '*.woff' ! -name 'noto-sans-sc-[0-9]*' ! -name 'noto-sans-jp-japanese-*' \
  ! -name 'noto-sans-kr-korean-*' \( -path '*-sc/*' -o -path '*-jp/*' -o -path '*-kr/*' -o -name '*-latin-*' \
  -o -name '*-latin-ext-*' -o -name '*-cyrillic*' -o -name '*-greek*' -o -name '*-vietnamese-*' -o -name '*-math-*' \
  -o -name '*-symbols-*' \) -delete
find @fontsource -name unicode.json ! -path '*-sc/*' -delete
# The subsetter of HarfBuzz; subsets are made by our own code.
rm -f harfbuzzjs/dist/harfbuzz-subset.wasm
# Some packages ship a build for `import` and one for `require`. This removes the one that nothing here uses.
rm -rf @google-cloud/storage/build/cjs protobufjs/dist
# Google's clients read their protocols from JSON. Nothing here uses Compute Engine.
find google-gax @google-cloud -name '*.proto' -delete
rm -f google-gax/build/protos/compute_operations.*
find web-streams-polyfill -type f -name '*.*js' ! -name ponyfill.es2018.js -delete
find . -depth -type d -empty -delete
