# The product alone: no compiler, no test, no shell script at start. Nothing is written but /data.
# The base image is named by its digest, which never means another image; a tag may from one day to the next:
#   docker buildx imagetools inspect node:26-slim     prints it
#   docker build --build-arg NODE_IMAGE=node:26-slim@sha256:<digest> -t sayso .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges -p 3000:3000 -v sayso-data:/data \
#     -e PUBLIC_URL=https://preferences.example.org -e PLATFORM_URL=… sayso

ARG NODE_IMAGE

FROM ${NODE_IMAGE} AS packages
ARG NODE_IMAGE
RUN printf '%s' "$NODE_IMAGE" | grep -Eq '@sha256:[0-9a-f]{64}$' || { echo "NODE_IMAGE must name its image by a digest (…@sha256:…)" >&2; exit 1; }
WORKDIR /app
COPY package.json package-lock.json ./
# The image is Node already: the platform packages that bring it elsewhere are optional, and left out.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && npm cache clean --force

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    DATA_DIR=/data \
    DEMO_PORT=off \
    HOST=all \
    PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE* ./
COPY src ./src
COPY views ./views
COPY public ./public
# Node's compile cache halves a start. It is code, so it is made here, by the user for whom it is named, and is then
# nobody's to write.
# /data/erased is the place of a volume that outlives a node with a database: ERASED_FILE.
RUN install -d -o node -g node -m 0700 /data /data/erased node_modules/.cache/sayso
USER node
RUN node --max-semi-space-size=8 src/main.mjs compile
USER root
RUN chown -R root:root node_modules/.cache && chmod -R u=rwX,go=rX node_modules/.cache
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The permission model: the code may read itself, its data and its secrets, write its data, use the network, and
# nothing else: no other file, no child process, no worker, no native addon. The compile cache is only opened by Node
# where the model lets it be written; its files are root's all the same. A smaller young generation takes less
# memory and no more time (docs/speed.md).
CMD ["node", "--max-semi-space-size=8", "--permission", "--disable-warning=ExperimentalWarning", "--allow-fs-read=/app", "--allow-fs-read=/data", "--allow-fs-read=/run/secrets", "--allow-fs-write=/data", "--allow-fs-write=/app/node_modules/.cache/sayso", "--allow-net", "src/main.mjs"]
