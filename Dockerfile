# Firn in a container: docker build -t firn . && docker run -p 8000:8000 -v firn:/data firn
# A command of the operator: docker run -v firn:/data firn operator --help

FROM denoland/deno:2.9.6 AS packages
ENV DENO_DIR=/deno-dir
WORKDIR /app
COPY . .
RUN deno install --frozen --entrypoint main.ts operator.ts doctor.ts start_flags.ts start_operator.ts
RUN mkdir /data

FROM denoland/deno:2.9.6
ENV DENO_DIR=/deno-dir
ENV DENO_NO_UPDATE_CHECK=1
ENV KV_PATH=/data/firn.sqlite3
WORKDIR /app
# The source and the packages belong to root, so the service cannot change them.
COPY --from=packages /deno-dir /deno-dir
COPY --from=packages /app /app
COPY --from=packages --chown=deno:deno /data /data
USER deno
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["deno", "eval", "const { ok } = await fetch(`http://127.0.0.1:${Deno.env.get('PORT') || 8000}/api/v1/health`); Deno.exit(ok ? 0 : 1)"]
# The task computes the permissions from the settings and passes signals on.
ENTRYPOINT ["deno", "task", "--quiet"]
CMD ["start"]
