import { expect, it } from 'vitest';
import { ChannelInfo } from '#shared/channels/schema.ts';
import { channelNamed, lostTemplate } from './lost-template.ts';

const info = (channel: string, name: string) =>
  ChannelInfo.parse({
    channel,
    name,
    description: '',
    format: { kind: 'csv' },
    filename: 'a.csv',
    fields: 1,
    required: 1,
    verified: true,
  });
const [google, ebay] = [info('google', 'Google Shopping'), info('ebay', 'eBay')];
const channels = [google, ebay];

it('a channel is meant by its id or by the name that users know', () => {
  expect(channelNamed(channels, 'google')).toBe(google);
  expect(channelNamed(channels, ' google shopping ')).toBe(google);
  expect(channelNamed(channels, 'Mein Laden')).toBeUndefined();
  expect(channelNamed(channels, '')).toBeUndefined();
});

it('a changed channel drops the template that applied; one without a template has none to drop', () => {
  expect(lostTemplate(channels, 'google', 'Google Shopping EU')).toEqual({ before: google, next: undefined });
  expect(lostTemplate(channels, 'google', 'ebay')).toEqual({ before: google, next: ebay });
  expect(lostTemplate(channels, 'google', 'google')).toBeNull();
  expect(lostTemplate(channels, 'Mein Laden', 'ebay')).toBeNull();
  expect(lostTemplate(channels, '', 'google')).toBeNull();
});
