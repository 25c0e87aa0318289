# Images of the service: `--target node` for API, controller and hooks (and workers on Node), `--target deno`
# for workers on Deno and for the container beside each worker that reads documents. Each holds one runtime, the
# bundles of the programs (`dev/build-programs.ts`), the packages that these load, a shell and the libraries of C
# and C++: no sources, no package manager and no build tools.
# Both run as user 65532, from a root that can be read-only; /tmp must be writable. No init is needed: each
# process handles SIGTERM and waits for the children that it starts.
#
# Tags are what packages are pinned to. For builds that give the same image always, name digests:
# --build-arg NODE_IMAGE=docker.io/library/node@sha256:… --build-arg DENO_IMAGE=docker.io/denoland/deno@sha256:…
# Names have their registry, because Podman and Buildah know no other place for short ones.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim
ARG DENO_IMAGE=docker.io/denoland/deno:debian-2.9.5

FROM ${NODE_IMAGE} AS app
WORKDIR /source
COPY package.json package-lock.json ./
# Nothing that is installed needs its install script; runtimes come with the images. The list of all packages
# is reduced below to those whose code is in the image: `sbom.json`, and `web/sbom.json` for the pages (CycloneDX).
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application >/packages.json
COPY . .
RUN node dev/build-web.ts
RUN node dev/image/fill-image.ts /app /pages /packages.json \
  && cp dev/image/check-packages.mjs /app && cd /app && node check-packages.mjs && rm check-packages.mjs

FROM ${DENO_IMAGE} AS deno-program

FROM ${NODE_IMAGE} AS system
COPY dev/image /image
# The table of local symbols is 18 MB of the program; exported symbols, which modules link against, stay.
RUN apt-get update -q && apt-get install -qy --no-install-recommends binutils \
  && sh /image/copy-system.sh /system "$(command -v node)" \
  && mkdir -p /node/usr/local/bin /deno/usr/local/bin \
  && strip -o /node/usr/local/bin/node "$(command -v node)"
COPY --from=deno-program /usr/bin/deno /deno/usr/local/bin/deno

FROM scratch AS node
ENV NODE_ENV=production DENO_DIR=/tmp/deno PATH=/usr/local/bin:/usr/bin
WORKDIR /app
COPY --from=system /system /
COPY --from=system /node /
COPY --from=app /app /app
COPY --from=app /pages /app
USER 65532:65532
EXPOSE 8080 9090
# Stack traces name the sources, which the image does not contain.
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["runtime/dist/api.js"]

FROM scratch AS deno
ENV NODE_ENV=production DENO_DIR=/tmp/deno DENO_NO_UPDATE_CHECK=1 PATH=/usr/local/bin:/usr/bin
WORKDIR /app
COPY --from=system /system /
COPY --from=system /deno /
COPY --from=app /app /app
USER 65532:65532
EXPOSE 9090
# The chart passes the permissions of each process: see charts/sigcase.
ENTRYPOINT ["deno"]
