import { expect, it } from 'vitest';
import { readConfig, unknownSettings } from './config.ts';

it.each(['https://laden.example', 'https://laden.example/', 'HTTPS://Laden.example//'])(
  'the public address has no trailing slash if KONTOR_URL is %s',
  (address) => expect(readConfig({ KONTOR_URL: address }).publicUrl).toBe('https://laden.example'),
);

it.each([
  [{ PORT: 'abc' }, 'Die Einstellung PORT ist ungültig: Erwartet wird eine Zahl.'],
  [{ KONTOR_MEMORY: '0GB' }, 'Die Einstellung KONTOR_MEMORY ist ungültig: Erwartet wird der Speicher für DuckDB'],
  [{ KONTOR_MEMORY: '99999999999GB' }, 'Die Einstellung KONTOR_MEMORY ist ungültig'],
])('an invalid setting is refused in German by its name: %j', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence);
});

it('a variable that looks like a setting but is none is found, with the setting that was probably meant', () => {
  const environment = {
    PORT: '1',
    KONTOR_PORT: '1',
    KONTOR_QOTA_GB: '1',
    KONTOR_MEMORY: '1GB',
    KONTOR_TEST_SEED: '1',
    HOME: '/',
  };
  expect(unknownSettings(environment)).toEqual([{ name: 'KONTOR_PORT', meant: 'PORT' }, { name: 'KONTOR_QOTA_GB' }]);
});
