import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { ErrorBody } from '#shared/http/errors.ts';

type JsonSchema = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _drop, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

/** The OpenAPI 3.1 document of all calls, made from the same definitions that the routes check against. */
export function openApiDocument(calls: Readonly<Record<string, Call>>, version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, call] of Object.entries(calls)) {
    const entry = (paths[call.path] ??= {});
    entry[call.method.toLowerCase()] = operation(operationId, call);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version,
      description:
        'Alle Aufrufe von Kontor. Maschinen melden sich mit „Authorization: Bearer <Token>“ an; Fehler haben immer die Form ErrorBody.',
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ErrorBody: schemaOf(ErrorBody, 'output') },
    },
    security: [{ token: [] }],
    paths,
  };
}

function operation(operationId: string, call: Call): JsonSchema {
  return {
    operationId,
    summary: call.summary,
    description: call.access === 'public' ? 'Ohne Anmeldung.' : `Benötigtes Recht: ${call.access}.`,
    ...(call.access === 'public' ? { security: [] } : {}),
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } } }),
    responses: {
      200: call.response
        ? { description: 'Antwort', content: { 'application/json': { schema: schemaOf(call.response, 'output') } } }
        : { description: 'Datei' },
      default: {
        description: 'Fehler',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
      },
    },
  };
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): JsonSchema[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const type = field instanceof z.ZodType ? field : z.string();
    return {
      name,
      in: place,
      required: place === 'path' || !type.safeParse(undefined).success,
      schema: schemaOf(type, 'input'),
    };
  });
}

/** Serves the document at /api/docs/json and a page to read and try it at /api/docs. */
export async function openApiRoutes(app: FastifyInstance, calls: Readonly<Record<string, Call>>): Promise<void> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
  const document = openApiDocument(calls, version);
  // The plugin's type knows OpenAPI's own documents only; this one is built above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'none', tryItOutEnabled: false },
  });
}
