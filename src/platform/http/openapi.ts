import { readFileSync } from 'node:fs';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Call, takesKey, withContent } from '#shared/http/call.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { openApiSchemas, type JsonSchema, type OpenApiSchemas } from './openapi-schemas.ts';

/** Returns the OpenAPI 3.1 document of all calls, made from the same definitions that the routes validate against. */
export function openApiDocument(calls: Readonly<Record<string, Call>>, version: string): JsonSchema {
  const schemas = openApiSchemas(calls, [ErrorBody]);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, call] of Object.entries(calls)) {
    const entry = (paths[call.path] ??= {});
    entry[call.method.toLowerCase()] = operation(operationId, call, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version,
      description:
        'Alle Aufrufe von Kontor. Maschinen melden sich mit „Authorization: Bearer <Token>“ an; Fehler haben immer die Form ErrorBody. Die Werte „.“ und „..“ stehen im Pfad als „~.“ und „~..“, weil HTTP-Programme sie sonst entfernen (und „~.“ als „~~.“).',
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: schemas.components,
    },
    security: [{ token: [] }],
    paths,
  };
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'Revision, auf der die Änderung beruht; ohne sie, oder mit *, gilt, was zuletzt gespeichert wird.',
  schema: { type: 'string', pattern: '^(\\*|(W/)?"?[0-9]{1,9}"?)$' },
};
const confirmed = {
  name: 'Kontor-Confirmed',
  in: 'header',
  required: false,
  description:
    'Die Marke aus der Rückfrage (409, Code limits_confirm, confirm.mark): Sie wurde gelesen, die Änderung ist so gewollt. Vorher wird nichts gespeichert. Die Marke gilt für denselben Aufruf mit demselben Inhalt, solange dieselben Zahlen herauskommen; sonst wird mit den heutigen neu gefragt.',
  schema: { type: 'string', maxLength: 64 },
};
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Ein Name für diese Anfrage, den ihr Absender wählt: Kommt sie damit noch einmal, wird nichts doppelt ausgeführt, und die Antwort ist die der ersten; 409, solange die erste läuft.',
  schema: { type: 'string', maxLength: 200 },
};
const staleText =
  'Der Stand wurde zwischenzeitlich geändert (Code stale), oder die Änderung widerspricht dem, was jetzt gilt. Es wurde nichts gespeichert.';

function operation(operationId: string, call: Call, schemas: OpenApiSchemas): JsonSchema {
  const body = bodyOf(call, schemas);
  const parameters = [
    ...(call.params ? schemas.parameters(call.params) : []).map((one) => ({ ...one, in: 'path' })),
    ...(call.query ? schemas.parameters(call.query) : []).map((one) => ({ ...one, in: 'query' })),
    ...(call.ifMatch === true ? [ifMatch] : []),
    ...(call.confirmation === true ? [confirmed] : []),
    ...(call.ownKey === true || takesKey(call) ? [idempotencyKey] : []),
  ];
  const file = { content: { [call.mediaType ?? '*/*']: {} } };
  const error = { description: 'Fehler', content: { 'application/json': { schema: schemas.output(ErrorBody) } } };
  return {
    operationId,
    summary: call.summary,
    description: accessText(call),
    ...(call.access === 'public' ? { security: [] } : {}),
    parameters,
    ...(body === undefined
      ? {}
      : { requestBody: { required: call.body?.safeParse(undefined).success !== true, content: body } }),
    responses: {
      200: call.response
        ? { description: 'Antwort', content: { 'application/json': { schema: schemas.output(call.response) } } }
        : { description: 'Datei', ...file },
      ...Object.fromEntries(
        Object.entries(call.others ?? {}).map(([status, description]) => [
          status,
          { description, ...(withContent.has(Number(status)) ? file : {}) },
        ]),
      ),
      ...(call.ifMatch === true ? { 409: { ...error, description: staleText } } : {}),
      default: error,
    },
  };
}

function accessText({ access, people }: Call): string {
  if (access === 'public') return 'Ohne Anmeldung.';
  return `Benötigtes Recht: ${access}.${people === true ? ' Nur für angemeldete Personen und KONTOR_API_TOKEN; andere API-Zugänge bekommen 403 people_only.' : ''}`;
}

/** Returns the possible request bodies by media type. */
function bodyOf({ body, form, upload, bytes }: Call, schemas: OpenApiSchemas): JsonSchema | undefined {
  if (bytes === true) return { 'application/octet-stream': {} };
  if (upload) {
    return {
      'multipart/form-data': { schema: schemas.input(upload.form) },
      ...(upload.json === undefined ? {} : { 'application/json': { schema: schemas.input(upload.json) } }),
    };
  }
  if (body === undefined) return undefined;
  const media = { schema: schemas.input(body) };
  return {
    'application/json': media,
    ...(form === true ? { 'application/x-www-form-urlencoded': media, 'multipart/form-data': media } : {}),
  };
}

/** Allows the page's own scripts and inline styles; the plugin's default policy names other sites and breaks on plain http. */
const documentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page's plugin requires a plugin of this name that supplies the document. That one would build it from Fastify's routes;
 * ours is built from the calls. So this is an empty stand-in, and `transformSpecification` returns the document.
 */
const documentSource = Object.assign(
  (app: FastifyInstance, _options: object, done: () => void) => {
    app.decorate('swagger', () => ({}));
    done();
  },
  { [Symbol.for('skip-override')]: true, [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' } },
);

/** Serves the document at /api/docs/json, and a page to read it and try calls at /api/docs. */
export async function openApiRoutes(app: FastifyInstance, calls: Readonly<Record<string, Call>>): Promise<void> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
  let document: JsonSchema | undefined;
  await app.register(documentSource);
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: documentPolicy,
    uiConfig: { docExpansion: 'none', tryItOutEnabled: false },
    // Building it takes half a second, so it is built at the first request.
    transformSpecification: () => (document ??= openApiDocument(calls, version)),
    transformSpecificationClone: false,
  });
}
