import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it.each(['https://laden.example', 'https://laden.example/', 'HTTPS://Laden.example//'])(
  'paths can be put behind the public address also where KONTOR_URL is written as %s',
  (address) => expect(readConfig({ KONTOR_URL: address }).publicUrl).toBe('https://laden.example'),
);
