import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';

export type Json = { [name: string]: unknown };

/** Returns a value that a schema accepts, so that a mutated part is judged by the call itself. */
export function sampleOf(schema: Json, own: Readonly<Record<string, string>>, name = ''): unknown {
  const [first] = [schema['anyOf'], schema['oneOf'], schema['allOf']].filter(Array.isArray).flat() as Json[];
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (first !== undefined) return sampleOf(first, own, name);
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([key, inner]) => [
          key,
          sampleOf(inner, own, key),
        ]),
      );
    case 'array':
      return schema['items'] === undefined ? [] : [sampleOf(schema['items'] as Json, own, name)];
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    case 'boolean':
      return true;
    default:
      if (schema['format'] === 'date-time') return '2026-01-01T00:00:00Z';
      if (schema['format'] === 'date') return '2026-01-01';
      if (schema['format'] === 'email') return 'a@beispiel.de';
      return own[name] ?? 'AAAAAAAAAA';
  }
}

export const inputSchema = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', target: 'openapi-3.0' });
/** Returns the names of the parameters in a call's path. */
export const names = (call: Call) => [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
/** Returns values that a schema of parameters accepts. */
export const read = (schema: z.ZodObject | undefined, own: Readonly<Record<string, string>>) =>
  schema === undefined ? {} : (sampleOf(inputSchema(schema), own) as Record<string, string>);
