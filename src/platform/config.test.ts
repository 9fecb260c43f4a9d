import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it.each(['https://laden.example', 'https://laden.example/', 'HTTPS://Laden.example//'])(
  'the public address has no trailing slash if KONTOR_URL is %s',
  (address) => expect(readConfig({ KONTOR_URL: address }).publicUrl).toBe('https://laden.example'),
);
