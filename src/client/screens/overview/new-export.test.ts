import { expect, it } from 'vitest';
import { ChannelInfo } from '#shared/channels/schema.ts';
import { defaultFormat } from '#shared/exports/schema.ts';
import { filenameOf, inOrder, nameOf } from './new-export.ts';

const channel = (name: string, filename = 'export.csv') =>
  ChannelInfo.parse({
    channel: name,
    name: name.toUpperCase(),
    description: '',
    format: defaultFormat,
    filename,
    fields: 1,
    required: 1,
    verified: true,
  });

it('the free channel comes first, the others by name', () => {
  const names = inOrder([channel('otto'), channel('frei'), channel('ebay')]).map((one) => one.channel);
  expect(names).toEqual(['frei', 'ebay', 'otto']);
});

it('name and file name follow the channel until somebody types others', () => {
  const form = { channel: channel('otto', 'otto.csv'), kind: 'csv', name: null, filename: null } as const;
  expect([nameOf(form), filenameOf(form)]).toEqual(['OTTO', 'otto.csv']);
  expect(filenameOf({ ...form, kind: 'jsonl' })).toBe('otto.jsonl');
  expect(filenameOf({ ...form, filename: 'x.txt', kind: 'jsonl' })).toBe('x.txt');
  const free = { ...form, channel: channel('frei') };
  expect([nameOf(free), filenameOf(free)]).toEqual(['', 'export.csv']);
  expect(filenameOf({ ...free, name: 'Shop: Größe/neu' })).toBe('Shop_ Größe_neu.csv');
});
