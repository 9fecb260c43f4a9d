import { expect, it } from 'vitest';
import { queryWith } from './page-address.ts';

it('LVC-01 a component writes its own parameters into the address and keeps those of others', () => {
  const write = (search: string, values: Record<string, string>) => queryWith(search, { values, step: false });
  expect(write('?seite=2', { name: 'Frau & Söhne' })).toBe('seite=2&name=Frau+%26+S%C3%B6hne');
  expect(write('?name=alt&seite=2', { name: '' })).toBe('seite=2');
  expect(write('', { name: '<script>' })).toBe('name=%3Cscript%3E');
});
