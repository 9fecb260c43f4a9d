import { expect, it } from 'vitest';
import { isUntouched, readQuery } from './transfer-query.ts';

it('the default view is applied only to an address without parameters of its own', () => {
  const untouched = (address: string) => isUntouched(readQuery(new URLSearchParams(address)));
  expect(['', 'fremd=1'].map(untouched)).toEqual([true, true]);
  expect(['ansicht=bereit', 'seite=2', 'suche=a', 'je=25', 'gespeichert=ohne'].map(untouched)).not.toContain(true);
});
