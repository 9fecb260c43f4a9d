import { describe, expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';

const complete = {
  KONTOR_STORE: 's3://kontor-dateien/betrieb/eins',
  S3_ENDPOINT: 'https://s3.beispiel.de/',
  S3_ACCESS_KEY: 'schluessel',
  S3_SECRET_KEY: 'geheim',
  DATABASE_URL: 'postgresql://localhost/kontor',
  KONTOR_SECRET: 'g'.repeat(40),
};

describe('the settings of the store', () => {
  it('give bucket, folder, endpoint and keys', () => {
    expect(readConfig(complete).store).toEqual({
      name: 's3://kontor-dateien/betrieb/eins',
      endpoint: 'https://s3.beispiel.de',
      region: 'us-east-1',
      accessKey: 'schluessel',
      secretKey: 'geheim',
      bucket: 'kontor-dateien',
      prefix: 'betrieb/eins/',
      cacheBytes: 10e9,
      redirects: false,
    });
    expect(readConfig({ ...complete, KONTOR_STORE_REDIRECTS: '1' }).store).toMatchObject({ redirects: true });
    expect(readConfig({}).store).toBeUndefined();
  });

  it("accept the names of Amazon’s tools, and default to Amazon's endpoint", () => {
    const { S3_ENDPOINT: _, S3_ACCESS_KEY: id, S3_SECRET_KEY: secret, ...rest } = complete;
    const store = readConfig({
      ...rest,
      KONTOR_STORE: 's3://kontor-dateien',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: id,
      AWS_SECRET_ACCESS_KEY: secret,
    }).store;
    expect(store).toMatchObject({ endpoint: 'https://s3.eu-central-1.amazonaws.com', prefix: '', accessKey: id });
  });

  it.each([
    ['KONTOR_STORE', 'kontor-dateien', /KONTOR_STORE ist ungültig: .*s3:\/\/bucket/],
    ['KONTOR_STORE', 's3://kontor-dateien/mit leer', /KONTOR_STORE ist ungültig/],
    ['KONTOR_STORE', undefined, /S3_ENDPOINT ist gesetzt, KONTOR_STORE .* nicht/],
    ['S3_ENDPOINT', 'ftp://s3.beispiel.de', /S3_ENDPOINT ist ungültig/],
    ['S3_ENDPOINT', undefined, /fehlt S3_ENDPOINT .* S3_REGION/],
    ['S3_SECRET_KEY', undefined, /fehlen S3_ACCESS_KEY und S3_SECRET_KEY/],
    ['DATABASE_URL', undefined, /KONTOR_STORE braucht DATABASE_URL/],
    ['KONTOR_SECRET', undefined, /KONTOR_STORE braucht KONTOR_SECRET/],
    ['KONTOR_STORE_CACHE_GB', '0', /KONTOR_STORE_CACHE_GB ist ungültig/],
    ['KONTOR_STORE_REDIRECTS', 'ja', /KONTOR_STORE_REDIRECTS ist ungültig/],
  ])('are refused with %s = %s', (setting, value, sentence) => {
    expect(() => readConfig({ ...complete, [setting]: value })).toThrow(sentence);
  });

  it('redirects to the bucket need a bucket', () => {
    expect(() => readConfig({ KONTOR_STORE_REDIRECTS: '1' })).toThrow(/KONTOR_STORE .* nicht/);
  });

  it.each(['web', 'worker'])('KONTOR_ROLE=%s needs a database server', (role) => {
    expect(() => readConfig({ KONTOR_ROLE: role })).toThrow(/braucht DATABASE_URL/);
    expect(readConfig({ KONTOR_ROLE: role, DATABASE_URL: complete.DATABASE_URL }).role).toBe(role);
  });
});
