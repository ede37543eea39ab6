FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune.js scripts/prune.js
# The image has Node 24 already, so the install scripts, which fetch one, are left out.
RUN npm ci --omit=dev --ignore-scripts && node scripts/prune.js

FROM node:24-slim
# `--build-arg TESSERACT=1` adds the tesseract program, which only `DOCFLOW_OCR=fast` and `DOCFLOW_OCR=tesseract` use.
ARG TESSERACT=0
# Documents are opened in a sandbox of bubblewrap; docs/operating.md says what the container must allow for it.
RUN apt-get update && \
    apt-get install -y --no-install-recommends bubblewrap $([ "$TESSERACT" = 1 ] && echo tesseract-ocr) && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY dsl dsl
COPY flows flows
COPY examples examples
COPY src src
RUN install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production \
    DOCFLOW_HOST=0.0.0.0 \
    DOCFLOW_PORT=8080 \
    DOCFLOW_DATA_DIR=/data \
    DOCFLOW_FLOWS_DIR=/app/flows
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.DOCFLOW_PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-sigusr1", "src/main.ts"]
