import { expect, it } from 'vitest';
import { isUntouched, readQuery } from './transfer-query.ts';

it('only an address that says nothing may begin with the standard view', () => {
  const untouched = (address: string) => isUntouched(readQuery(new URLSearchParams(address)));
  expect(['', 'fremd=1'].map(untouched)).toEqual([true, true]);
  expect(['ansicht=bereit', 'seite=2', 'suche=a', 'je=25', 'gespeichert=ohne'].map(untouched)).not.toContain(true);
});
