import { describe, expect, it } from 'vitest';
import { testMailOf } from './mail-texts.ts';

describe('the subject of an e-mail', () => {
  it.each([
    ['Nordkap Handels GmbH', '[Nordkap Handels GmbH] Testmail von Kontor'],
    ['Nord\nkap', '[Nord kap] Testmail von Kontor'],
    [
      'Nordkap Vertriebsgesellschaft mit beschränkter Haftung',
      '[Nordkap Vertriebsgesellschaft mit besch…] Testmail von Kontor',
    ],
    [`${'😀'.repeat(39)} GmbH`, `[${'😀'.repeat(19)}…] Testmail von Kontor`],
  ])('names the company briefly and says what happened: %j', (company, subject) => {
    expect(testMailOf('a', { company, url: 'https://kontor.example' }).subject).toBe(subject);
  });
});
