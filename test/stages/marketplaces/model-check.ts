import { z } from 'zod';

/** A schema of a Swagger document, as far as Amazon's models use it. */
export type Schema = {
  type?: string;
  format?: string;
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  allOf?: Schema[];
  minItems?: number;
  maxItems?: number;
  $ref?: string;
};
type Parameter = Schema & { name: string; in: string; required?: boolean; schema?: Schema };
type Operation = { parameters?: Parameter[]; responses?: Record<string, { schema?: Schema }> };
export type Model = {
  paths: Record<string, Record<string, Operation>>;
  definitions: Record<string, Schema>;
};

/** A call and its answer on the wire. */
export type Exchange = { method: string; url: string; body: string | undefined; status: number; text: string };

/** Returns where `value` does not match. `strict`: properties that the schema does not name are errors too. */
export function misfits(schema: Schema, value: unknown, model: Model, { at = '$', strict = false } = {}): string[] {
  const inner = (one: Schema, part: unknown, where: string) => misfits(one, part, model, { at: where, strict });
  if (schema.$ref !== undefined) {
    const found = model.definitions[schema.$ref.replace('#/definitions/', '')];
    return found === undefined ? [`${at}: ${schema.$ref}`] : inner(found, value, at);
  }
  if (schema.allOf) return schema.allOf.flatMap((one) => inner(one, value, at));
  if (schema.enum && !schema.enum.includes(String(value))) return [`${at}: ${String(value)}`];
  if (schema.type === 'array') {
    const { minItems = 0, maxItems = Infinity } = schema;
    if (!Array.isArray(value) || value.length > maxItems || value.length < minItems) return [`${at}: no such array`];
    return value.flatMap((part, n) => (schema.items ? inner(schema.items, part, `${at}.${n}`) : []));
  }
  if (schema.type === 'integer') return Number.isInteger(value) ? [] : [`${at}: ${typeof value}`];
  if (schema.type !== 'object') {
    if (schema.type !== undefined && typeof value !== schema.type) return [`${at}: ${typeof value}`];
    return schema.format === 'date-time' && Number.isNaN(Date.parse(String(value))) ? [`${at}: no moment`] : [];
  }
  const members = z.record(z.string(), z.unknown()).parse(value);
  const known = schema.properties ?? {};
  const missing = (schema.required ?? []).filter((name) => !(name in members)).map((name) => `${at}.${name} missing`);
  const foreign =
    strict && schema.properties !== undefined && schema.additionalProperties === undefined
      ? Object.keys(members)
          .filter((name) => !(name in known))
          .map((name) => `${at}.${name} unknown`)
      : [];
  const wrong = Object.entries(known).flatMap(([name, one]) =>
    name in members ? inner(one, members[name], `${at}.${name}`) : [],
  );
  return [...missing, ...foreign, ...wrong];
}

/** Returns where a call and its answer differ from the models: path, parameters, and both bodies. */
export function exchangeMisfits(models: readonly Model[], { method, url, body, status, text }: Exchange): string[] {
  const { pathname, searchParams } = new URL(url);
  const at = `${method} ${pathname} ${status}`;
  for (const model of models)
    for (const [template, operations] of Object.entries(model.paths)) {
      const operation = operations[method.toLowerCase()];
      if (operation === undefined || !pathOf(template).test(pathname)) continue;
      const parameters = operation.parameters ?? [];
      const answer = operation.responses?.[String(status)];
      if (answer === undefined) return [`${at}: no such answer`];
      const sent = parameters.find((one) => one.in === 'body')?.schema;
      return [
        ...queryMisfits(parameters, searchParams, model).map((one) => `${at} ${one}`),
        ...(sent === undefined || body === undefined
          ? []
          : misfits(sent, JSON.parse(body), model, { at: `${at} request`, strict: true })),
        ...(answer.schema === undefined ? [] : misfits(answer.schema, JSON.parse(text), model, { at, strict: true })),
        ...(answer.schema === undefined && text !== '' ? [`${at}: an answer where none is due`] : []),
      ];
    }
  return [`${at}: no such operation`];
}

const pathOf = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u');

function queryMisfits(parameters: readonly Parameter[], query: URLSearchParams, model: Model): string[] {
  const known = parameters.filter((one) => one.in === 'query');
  const foreign = [...query.keys()].filter((name) => !known.some((one) => one.name === name));
  const missing = known.filter(({ name, required }) => required === true && !query.has(name));
  const wrong = known.flatMap((one) => {
    const text = query.get(one.name);
    if (text === null) return [];
    // Lists are one parameter, separated by commas.
    if (one.type === 'array') return misfits(one, text.split(','), model, { at: one.name });
    if (one.type === 'integer') return misfits(one, Number(text), model, { at: one.name });
    return one.type === 'boolean' ? [] : misfits(one, text, model, { at: one.name });
  });
  return [...foreign.map((name) => `${name} unknown`), ...missing.map(({ name }) => `${name} missing`), ...wrong];
}
