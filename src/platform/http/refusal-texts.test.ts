import { expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { refusalText } from './refusal-texts.ts';

z.config({ localeError: refusalText });

/** Technical terms, and words of zod's own messages. */
const foreign =
  /\b(string|array|undefined|object|number|boolean|bool|null|nan|int|integer|record|union|enum|tuple|date|instanceof|expected|received|input|must|too (?:big|small)|required|option)\b/i;
/** Text prescribed by the specification (RUL-07). */
const named = /^Invalid Regex/;

const junk = [undefined, null, '', 'x', 'ä'.repeat(20_000), -1, 12.5, 1e15, true, [], {}] as const;

/** Builds a value of the schema's outer form with `leaf` at every leaf; `turn` selects among alternatives. */
function filled(schema: z.core.$ZodType, leaf: unknown, turn: number, depth = 0): unknown {
  const { def } = schema._zod as unknown as { def: z.core.$ZodTypes['_zod']['def'] };
  const inner = (one: z.core.$ZodType) => filled(one, leaf, turn, depth + 1);
  if (depth > 8) return leaf;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, one]) => [key, inner(one)]));
    case 'array':
      return [inner(def.element)];
    case 'record':
      return { schluessel: inner(def.valueType) };
    case 'union':
      return inner(def.options[turn % def.options.length] ?? schema);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return inner(def.innerType);
    case 'pipe':
      return inner(def.in._zod.def.type === 'transform' ? def.out : def.in);
    case 'lazy':
      return inner(def.getter());
    default:
      return leaf;
  }
}

const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

it('GEN-01 every validation error of every call is in German and free of technical terms', () => {
  let refusals = 0;
  for (const [name, call] of Object.entries<Call>(api)) {
    const { params, query, body, upload } = call;
    for (const schema of [params, query, body, upload?.form, upload?.json]) {
      if (schema === undefined) continue;
      for (const leaf of junk) {
        const values = [leaf, ...[0, 1, 2].map((turn) => filled(schema, leaf, turn))];
        for (const message of values.flatMap((value) => messagesOf(schema, value))) {
          refusals++;
          // Quoted parts are values of the request.
          const words = message.replaceAll(/„[^“]*“/g, '');
          if (!named.test(message)) expect(words, name).not.toMatch(foreign);
          expect(message, name).toMatch(/^[„\p{Lu}\d]/u);
        }
      }
    }
  }
  // Otherwise the loop checked nothing.
  expect(refusals).toBeGreaterThan(2000);
});

it.each([
  [z.string(), undefined, 'Diese Angabe fehlt.'],
  [z.string(), 5, 'Erwartet wird ein Text.'],
  [z.number().int(), 1.5, 'Erwartet wird eine ganze Zahl.'],
  [z.array(z.string()).max(2000), Array.from({ length: 2001 }, () => ''), 'Höchstens 2.000 Einträge sind erlaubt.'],
  [z.string().max(10_000), 'x'.repeat(10_001), 'Höchstens 10.000 Zeichen sind erlaubt.'],
  [z.string().min(1), '', 'Diese Angabe darf nicht leer sein.'],
  [z.number().max(65_535), 65_536, 'Der Wert darf höchstens 65.535 sein.'],
  [z.enum(['csv', 'xml']), 'pdf', 'Erlaubt ist „csv“ oder „xml“.'],
  [z.strictObject({}), { fremd: 1 }, 'Hier nicht bekannt: „fremd“.'],
])('GEN-01 a schema without its own message has a default sentence: %#', (schema, value, text) => {
  expect(messagesOf(schema, value)).toEqual([text]);
});

it('GEN-01 a missing value is reported as missing, also if it may have several types', () => {
  const id = z.object({ id: z.union([z.string(), z.number()]) });
  expect(id.safeParse({}).error?.issues[0]?.message).toBe('Diese Angabe fehlt.');
  expect(id.safeParse({ id: true }).error?.issues[0]?.message).toBe('Diese Angabe ist so nicht möglich.');
});
