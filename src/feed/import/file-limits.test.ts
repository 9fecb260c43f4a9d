import { expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { fileLimits, uploadMs } from './file-limits.ts';

const gigabyte = 1024 ** 3;
const limitsWith = (environment: Record<string, string>) => {
  const { importBytes, importPartsAbove } = readConfig(environment);
  return fileLimits(importBytes, importPartsAbove);
};

it('allows 2 GB uploaded and 4 GB fetched by default, and the configured size for both', () => {
  const usual = { uploaded: 2 * gigabyte, fetched: 4 * gigabyte, unpacked: 2 * gigabyte, whole: 20 * gigabyte };
  expect([limitsWith({}), limitsWith({ KONTOR_IMPORT_GB: '' })]).toEqual([usual, usual]);
  const raised = limitsWith({ KONTOR_IMPORT_GB: '120.5' });
  const all = 120.5 * gigabyte;
  expect(raised).toEqual({ uploaded: all, fetched: all, unpacked: all, whole: 20 * gigabyte });
  expect(limitsWith({ KONTOR_IMPORT_PARTS_ABOVE_GB: '0.5' }).whole).toBe(gigabyte / 2);
  expect([uploadMs(limitsWith({})), uploadMs(raised)]).toEqual([800_000, 800_000 * 60.25]);
});

it.each(['0', '-5', '20 GB', '20,5', '1001', 'Infinity'])('refuses %s and says what is expected', (text) => {
  expect(() => readConfig({ KONTOR_IMPORT_GB: text })).toThrow(/KONTOR_IMPORT_GB ist ungültig: .*höchstens 1000.*2 GB/);
});

it('refuses a file size that the local cache of the store could not hold', () => {
  const bucket = {
    KONTOR_STORE: 's3://kontor-dateien',
    S3_ENDPOINT: 'https://s3.beispiel.de',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
    DATABASE_URL: 'postgresql://db/kontor',
    KONTOR_SECRET: 'g'.repeat(40),
  };
  expect(readConfig({ ...bucket, KONTOR_IMPORT_GB: '9' }).importBytes).toBe(9 * gigabyte);
  expect(() => readConfig({ ...bucket, KONTOR_IMPORT_GB: '10' })).toThrow(/KONTOR_STORE_CACHE_GB/);
  expect(readConfig({ ...bucket, KONTOR_IMPORT_GB: '100', KONTOR_STORE_CACHE_GB: '300' }).importBytes).toBe(
    100 * gigabyte,
  );
});
