import { isDeepStrictEqual } from 'node:util';
import { fieldsRead } from '#engine/ir/fields-of.ts';
import { referenceKey, sourceKey } from '#engine/ir/source-key.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Mapping } from '#shared/assignments/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';

/** What makes a catalogue's fields out of imported ones. */
export type Makers = { readonly rules: readonly Rule[]; readonly mappings: readonly Mapping[] };

type Part = { readonly name: string; readonly content: unknown };
/** `sources`: every field that may decide a limit, imported or made; 'all' where a condition looks at every field. */
export type LimitPart = { readonly parts: readonly Part[]; readonly sources: ReadonlySet<string> | 'all' };

/**
 * Of the running rules and mappings those that decide, straight or through others, what stands in the fields that limits of prices are
 * read from. The order in which they run is left out of account: a rule too many asks a person, one too few moves a limit unseen.
 */
export function limitPart({ rules, mappings }: Makers, fields: ReadonlySet<string>): LimitPart {
  const sources = new Set([...fields].map(referenceKey));
  const names = new Map(rules.map(({ id, name }) => [id, name]));
  const running = readRules(rules);
  const active = mappings.filter((mapping) => mapping.active);
  let all = false;
  const reaches = (field: string) => all || sources.has(field);
  const writing = () => running.filter(({ changes }) => changes.some(({ field }) => reaches(field)));
  const mapping = () => active.filter(({ name }) => reaches(sourceKey('_mapping', name)));
  for (let size = -1; size !== sources.size;) {
    size = sources.size;
    const read = writing().map(fieldsRead);
    all ||= read.includes('all');
    for (const list of read) if (list !== 'all') for (const field of list) sources.add(field);
    for (const key of mapping().flatMap(({ data }) => data.flatMap(({ field }) => field.flatMap(sourceOf))))
      sources.add(key);
  }
  return {
    parts: [
      ...writing().map(({ id, conditions, changes }) => ({
        name: names.get(id) ?? '',
        content: { conditions, changes },
      })),
      ...mapping().map(({ name, data }) => ({ name, content: data.map((row) => ({ ...row, id: '' })) })),
    ],
    sources: all ? 'all' : sources,
  };
}

/** The names of rules and mappings by whose change limits may move; undefined: none moves. */
export function limitChanges(before: Makers, after: Makers, fields: ReadonlySet<string>): string[] | undefined {
  const [was, is] = [limitPart(before, fields).parts, limitPart(after, fields).parts];
  if (isDeepStrictEqual(was.map(contentOf), is.map(contentOf))) return undefined;
  const lacks = (list: readonly Part[]) => (part: Part) =>
    !list.some((other) => other.name === part.name && isDeepStrictEqual(other.content, part.content));
  return [...new Set([...is.filter(lacks(was)), ...was.filter(lacks(is))].map(({ name }) => name))];
}

const contentOf = ({ content }: Part) => content;

/** What a part of a mapping's row reads; fixed texts read nothing. */
const sourceOf = ({ type, value }: SourcePart): string[] =>
  type === '_default' || type === '_string' ? [] : [sourceKey(type, value)];
