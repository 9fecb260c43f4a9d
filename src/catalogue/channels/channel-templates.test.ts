import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import type { ChannelField, ChannelTemplate } from '#shared/channels/schema.ts';
import { channelTemplates, templateOf } from './channel-templates.ts';

const templates = [...channelTemplates().values()];

/** Returns the names of fields that a template refers to anywhere. */
function namedFields({ fields, checks }: ChannelTemplate): string[] {
  const conditions = [
    ...fields.flatMap(({ when }) => when),
    ...checks.flatMap((one) => ('when' in one ? one.when : [])),
  ];
  const checked = checks.flatMap((one) => (one.kind === 'any_of' ? one.fields : [one.field, one.than]));
  return [...conditions.map(({ field }) => field), ...checked];
}

const length = (text: string) => Array.from(text).length;

function wrongExamples(field: ChannelField): string[] {
  const { minLength = 0, maxLength = Infinity, pattern, values, open, many } = field;
  const matcher = pattern === undefined ? undefined : RE2JS.compile(`^(?:${pattern})$`);
  const known = new Set(values.flatMap(({ value, aliases }) => [value, ...aliases]).map((text) => text.toLowerCase()));
  return field.examples.filter((example) => {
    if (many) return false;
    const allowed = values.length === 0 || open || known.has(example.toLowerCase());
    return (
      !allowed || length(example) < minLength || length(example) > maxLength || matcher?.matches(example) === false
    );
  });
}

describe('the channel templates', () => {
  it('GEN-09 exist for every channel that the product promises, and for a free format', () => {
    expect(templates.map(({ channel }) => channel)).toEqual([
      'amazon',
      'billiger',
      'check24',
      'ebay',
      'frei',
      'geizhals',
      'google',
      'guenstiger',
      'idealo',
      'kaufland_inventory',
      'kaufland_product',
      'meta',
      'openai',
      'otto',
    ]);
    expect(templateOf('nirgendwo')).toBeUndefined();
  });

  it.each(templates)(
    'CON-01 $channel: every field stands once and in a group of its template',
    ({ fields, groups }) => {
      const names = fields.map(({ name }) => name);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
      const known = new Set(groups.map(({ name }) => name));
      expect(fields.filter(({ group }) => !known.has(group)).map(({ name }) => name)).toEqual([]);
      expect(groups.filter(({ name }) => !fields.some(({ group }) => group === name))).toEqual([]);
    },
  );

  it.each(templates)('$channel: conditions and checks name fields of the template', (template) => {
    const names = new Set(template.fields.map(({ name }) => name));
    expect(namedFields(template).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(templates)('$channel: examples are values that the channel accepts, patterns are valid RE2', ({ fields }) => {
    expect(fields.flatMap((field) => wrongExamples(field).map((example) => [field.name, example]))).toEqual([]);
  });

  it.each(templates)(
    '$channel: a spelling belongs to one value only, and required fields have a description',
    ({ fields }) => {
      for (const { name, values, description, requirement } of fields) {
        const spellings = values.flatMap(({ value, aliases }) => [
          ...new Set([value, ...aliases].map((text) => text.toLowerCase())),
        ]);
        expect([name, spellings.filter((text, index) => spellings.indexOf(text) !== index)]).toEqual([name, []]);
        if (requirement === 'Required') expect([name, description === '']).toEqual([name, false]);
      }
    },
  );

  it.each(templates.filter(({ fields }) => fields.some(({ type }) => type === 'price')))(
    '$channel: prices are written with two decimals, also 9.999',
    ({ format }) => expect(format.price).not.toBe('keep'),
  );

  it('mark all fields as unverified where no source of the channel itself could be read', () => {
    const unread = templates.filter(
      ({ sources }) => sources.length > 0 && sources.every(({ checked }) => checked === null),
    );
    for (const { channel, fields } of unread)
      expect([channel, fields.filter(({ verified }) => verified)]).toEqual([channel, []]);
  });
});
