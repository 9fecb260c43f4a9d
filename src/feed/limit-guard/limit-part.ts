import { isDeepStrictEqual } from 'node:util';
import { fieldsRead } from '#engine/ir/fields-of.ts';
import { referenceKey, sourceKey } from '#engine/ir/source-key.ts';
import { readRules } from '#engine/read/read-rules.ts';
import type { Mapping } from '#shared/assignments/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';

/** The rules and mappings that make a catalogue's fields from imported ones. */
export type RulesAndMappings = { readonly rules: readonly Rule[]; readonly mappings: readonly Mapping[] };

type Part = { readonly name: string; readonly content: unknown };
/** `sources`: every field that may affect a limit, imported or made; 'all' if a condition reads every field. */
export type LimitPart = { readonly parts: readonly Part[]; readonly sources: ReadonlySet<string> | 'all' };

/**
 * Returns the running rules and mappings that determine, directly or through others, the fields from which price limits are read.
 * Their order is ignored: a rule too many only causes a needless confirmation, one too few moves a limit unnoticed.
 */
export function limitPart({ rules, mappings }: RulesAndMappings, fields: ReadonlySet<string>): LimitPart {
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

/** The names of the changed rules and mappings that may move limits; undefined if no limit moves. */
export function limitChanges(
  before: RulesAndMappings,
  after: RulesAndMappings,
  fields: ReadonlySet<string>,
): string[] | undefined {
  const [was, is] = [limitPart(before, fields).parts, limitPart(after, fields).parts];
  if (isDeepStrictEqual(was.map(contentOf), is.map(contentOf))) return undefined;
  const lacks = (list: readonly Part[]) => (part: Part) =>
    !list.some((other) => other.name === part.name && isDeepStrictEqual(other.content, part.content));
  return [...new Set([...is.filter(lacks(was)), ...was.filter(lacks(is))].map(({ name }) => name))];
}

const contentOf = ({ content }: Part) => content;

/** The field that a part of a mapping's row reads; fixed texts read none. */
const sourceOf = ({ type, value }: SourcePart): string[] =>
  type === '_default' || type === '_string' ? [] : [sourceKey(type, value)];
