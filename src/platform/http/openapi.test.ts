import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { openApiDocument } from './openapi.ts';

const Components = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

const schemasOf = (document: unknown) => Components.parse(document).components.schemas;

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

const call = (overrides: Partial<Call>): Call => ({
  method: 'POST',
  path: '/api/things/{id}',
  summary: 'Etwas',
  access: 'read',
  ...overrides,
});

const operationOf = (overrides: Partial<Call>) =>
  z
    .object({ paths: z.object({ '/api/things/{id}': z.object({ post: z.record(z.string(), z.unknown()) }) }) })
    .parse(openApiDocument({ things: call(overrides) }, '1')).paths['/api/things/{id}'].post;

describe('the OpenAPI document', () => {
  it('of all calls passes the OpenAPI 3.1 schema', async () => {
    const { errors, valid } = await new Validator().validate(structuredClone(openApiDocument(api, '1.2.3')));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('has a component for every reference, and no unused component', () => {
    const document = openApiDocument(api, '1.2.3');
    const references = new Set(referencesIn(document));
    expect([...references].toSorted()).toEqual(
      Object.keys(schemasOf(document))
        .map((name) => `#/components/schemas/${name}`)
        .toSorted(),
    );
    expect(references).toContain('#/components/schemas/ErrorBody');
  });

  it('names every component after its schema or its call, never by number', () => {
    expect(Object.keys(schemasOf(openApiDocument(api, '1'))).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual(
      [],
    );
  });

  it('gives every schema that several calls share a name of its own', () => {
    const users = new Map<z.ZodType, string[]>();
    for (const [name, { body, response }] of Object.entries<Call>(api)) {
      for (const schema of [body, response]) if (schema) users.set(schema, [...(users.get(schema) ?? []), name]);
    }
    const unnamed = [...users].filter(
      ([schema, names]) => names.length > 1 && z.globalRegistry.get(schema)?.id === undefined,
    );
    expect(unnamed.map(([, names]) => names)).toEqual([]);
  });

  it('has If-Match and its 409 response for the calls that accept it, and for no others', () => {
    const answer = { response: z.object({ x: z.string() }).meta({ id: 'TestSaved' }) };
    expect(operationOf({ ...answer, ifMatch: true })).toMatchObject({
      parameters: [
        { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } },
        { name: 'Idempotency-Key' },
      ],
      responses: {
        409: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } } },
      },
    });
    const plain = operationOf(answer);
    expect(plain['parameters']).toMatchObject([{ name: 'Idempotency-Key' }]);
    expect(plain['responses']).not.toHaveProperty('409');
    const taking = Object.values<Call>(api).filter(({ ifMatch }) => ifMatch === true);
    expect(taking).toEqual(
      expect.arrayContaining([
        api.saveRules,
        api.saveConstruction,
        api.restore,
        api.deleteRepricerRule,
        api.saveMailSettings,
      ]),
    );
    expect(taking).not.toContain(api.testMail);
  });

  it('F18 has Idempotency-Key for calls that change something, and not for others', () => {
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(openApiDocument(api, '1'));
    const named = ({ path }: Call) => JSON.stringify(paths[path]?.['post']).includes('Idempotency-Key');
    const { createMaster, import: upload, runExport, runStock, uploadNow, exportCompany, shipOrders } = api;
    for (const call of [createMaster, upload, runExport, runStock, uploadNow, exportCompany, shipOrders])
      expect([call.path, named(call)]).toEqual([call.path, true]);
    for (const call of [api.ruleEffect, api.signIn]) expect([call.path, named(call)]).toEqual([call.path, false]);
  });

  it('has separate input and output schemas where defaults make them differ, also for schemas containing them', () => {
    const Part = z.object({ size: z.number().default(1) }).meta({ id: 'TestPart' });
    const Whole = z.object({ part: Part }).meta({ id: 'TestWhole' });
    const schemas = schemasOf(openApiDocument({ things: call({ body: Whole, response: Whole }) }, '1'));
    expect(Object.keys(schemas)).toEqual(['ErrorBody', 'TestPart', 'TestPartInput', 'TestWhole', 'TestWholeInput']);
    expect(schemas['TestWholeInput']).toMatchObject({
      properties: { part: { $ref: '#/components/schemas/TestPartInput' } },
    });
    expect(schemas['TestPart']).toMatchObject({ required: ['size'] });
    expect(schemas['TestPartInput']).not.toHaveProperty('required');
  });

  it('refuses two schemas with the same name', () => {
    const one = z.object({ a: z.string() }).meta({ id: 'ThingsResponse' });
    expect(() => openApiDocument({ things: call({ body: one, response: z.string() }) }, '1')).toThrow('ThingsResponse');
  });

  it('lists path and query parameters, required unless they may be missing', () => {
    const params = z.object({ id: z.string().min(1) });
    const query = z.object({ q: z.string(), limit: z.coerce.number().int().default(50) });
    expect(operationOf({ params, query })['parameters']).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
      expect.objectContaining({ name: 'limit', in: 'query', required: false }),
    ]);
  });

  it('offers JSON and both form encodings if a call accepts forms', () => {
    const body = z.object({ id: z.string() });
    const schema = { $ref: '#/components/schemas/ThingsRequest' };
    expect(operationOf({ body })['requestBody']).toEqual({
      required: true,
      content: { 'application/json': { schema } },
    });
    expect(operationOf({ body, form: true })['requestBody']).toEqual({
      required: true,
      content: {
        'application/json': { schema },
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema },
      },
    });
  });

  it('describes an upload as a form with a file, or JSON', () => {
    const document = openApiDocument(
      { things: call({ upload: { form: z.object({ file: z.file() }), json: z.object({ url: z.string() }) } }) },
      '1',
    );
    expect(schemasOf(document)['ThingsForm']).toMatchObject({ properties: { file: { format: 'binary' } } });
    expect(schemasOf(document)['ThingsRequest']).toMatchObject({ properties: { url: { type: 'string' } } });
  });

  it('describes the other statuses of a call, with the file for those that have one', () => {
    const responses = operationOf({ mediaType: 'text/csv', others: { 206: 'Ein Teil', 304: 'Nichts Neues' } })[
      'responses'
    ];
    expect(responses).toMatchObject({
      200: { description: 'Datei' },
      206: { description: 'Ein Teil', content: { 'text/csv': {} } },
      304: { description: 'Nichts Neues' },
    });
    expect(responses).not.toHaveProperty(['304', 'content']);
    const statuses = (asked: Call) => Object.keys(asked.others ?? {}).map(Number);
    expect([statuses(api.feed), statuses(api.exportFile)]).toEqual([[206, 302, 304, 416], [304]]);
    for (const one of [api.liveComponentGet, api.liveComponent, api.liveComponentAction])
      expect(statuses(one)).toEqual([204, 422]);
  });

  it('names the media type of a response that is not JSON if the call declares it', () => {
    expect(operationOf({ mediaType: 'text/csv' })['responses']).toMatchObject({ 200: { content: { 'text/csv': {} } } });
    expect(operationOf({})['responses']).toMatchObject({ 200: { content: { '*/*': {} } } });
  });
});
