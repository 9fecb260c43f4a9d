import { type Call, pathOf } from '#shared/http/call.ts';
import { type Random, seeded } from '../../../seed/random.ts';
import { inputSchema, names, read, sampleOf } from './call-samples.ts';

export type FuzzRequest = { readonly path: string; readonly init: RequestInit };

const texts = [
  '',
  '__proto__',
  'constructor',
  '\0',
  '\ud800',
  '\u202e',
  '👩‍👩‍👧',
  '../../etc/passwd',
  "'; drop table jobs; --",
  '${7*7}',
  '=1+1',
  '0000-01-01T00:00:00Z',
  '-1',
  '1e400',
  'NaN',
  '%00',
  '*',
  'x'.repeat(70_000),
  '(a+)+$',
];
const numbers = [-1, 0, 0.1, 2_147_483_648, 9_007_199_254_740_991, -1e300, 1e300];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-7',
  'text/plain',
  'text/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=b',
  'application/x-www-form-urlencoded',
  'x',
];
const headers: readonly (readonly [string, string])[] = [
  ['if-match', '"99999999999"'],
  ['if-match', '*'],
  ['accept-encoding', 'br;q=x'],
  ['range', 'bytes=9-1'],
  ['x-forwarded-for', "'"],
  ['cookie', 'a=%; kontor=x'],
  ['accept', '\u00e4'],
  ['if-none-match', 'x'.repeat(4000)],
  ['idempotency-key', 'x'.repeat(4000)],
];

/** Generates requests to one call, the same for the same seed: values that its schemas accept, with one or more parts wrong. */
export class Fuzz {
  private readonly random: Random;
  private readonly ids: Readonly<Record<string, string>>;

  /** `ids`: existing ids, by the names of parameters. */
  constructor(seed: number, ids: Readonly<Record<string, string>>) {
    this.random = seeded(seed);
    this.ids = ids;
  }

  /** `known`: a valid body, for calls whose schema alone does not lead to one. */
  request(call: Call, known?: unknown): FuzzRequest {
    const params = {
      ...Object.fromEntries(names(call).map((name) => [name, this.ids[name] ?? 'AAAAAAAAAA'])),
      ...read(call.params, this.ids),
    };
    for (const name of names(call))
      if (this.happens(0.2)) params[name] = this.one(texts).slice(0, 3000).toWellFormed() || '-';
    const query = new URLSearchParams(
      Object.keys(call.query?.shape ?? {}).flatMap((name): [string, string][] =>
        this.happens(0.4) ? [[name, this.ids[name] ?? String(this.one([...texts, ...numbers])).slice(0, 2000)]] : [],
      ),
    ).toString();
    const path = `${pathOf(call, params)}${query === '' ? '' : `?${query}`}`;
    const sent = new Headers();
    if (this.happens(0.15)) sent.set(...this.one(headers));
    if (call.method !== 'POST') return { path, init: { method: call.method, headers: sent } };
    sent.set('content-type', this.happens(0.85) ? 'application/json' : this.one(contentTypes));
    return { path, init: { method: 'POST', headers: sent, body: this.body(call, known) } };
  }

  private body(call: Call, known: unknown): string {
    const schema = call.body ?? call.upload?.json;
    const sample = known ?? (schema === undefined ? {} : sampleOf(inputSchema(schema), this.ids));
    if (this.happens(0.05))
      return `--b\r\ncontent-disposition: form-data; name="${this.one(texts).slice(0, 50)}"\r\n\r\nx`;
    const text = JSON.stringify(this.happens(0.1) ? sample : this.mutated(sample)) ?? 'null';
    if (this.happens(0.05)) return text.slice(0, Math.floor(this.random.next() * text.length));
    return this.happens(0.05) ? text.replace('{', '{"__proto__":{"admin":true},') : text;
  }

  /** Returns the value with one part replaced, removed, duplicated or nested. */
  private mutated(value: unknown): unknown {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (entries.length === 0 || this.happens(0.1)) return this.wrong(value);
    const [key, inner] = this.one(entries);
    if (Array.isArray(value))
      return this.happens(0.1) ? Array.from({ length: 1200 }, () => inner) : [this.mutated(inner)];
    if (this.happens(0.15)) return Object.fromEntries(entries.filter(([name]) => name !== key));
    return { ...Object.fromEntries(entries), [key]: this.mutated(inner) };
  }

  private wrong(value: unknown): unknown {
    return this.one([
      () => this.one(texts),
      () => this.one(numbers),
      () => null,
      () => [value, value],
      () => ({ [this.one(texts)]: value }),
      () => true,
      () => Array.from({ length: 40 }).reduce((inner) => [inner], value),
    ])();
  }

  private one<T>(list: readonly T[]): T {
    return this.random.pick(list);
  }

  private happens(share: number): boolean {
    return this.random.chance(share);
  }
}
