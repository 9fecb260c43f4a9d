import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { makeLog, safeUrl } from './log.ts';

describe('logs', () => {
  it('addresses are logged without user, query, fragment and feed token (T18)', () => {
    expect(safeUrl('https://nutzer:wort@shop.example/feed.csv?key=abc#x')).toBe('https://shop.example/feed.csv');
    expect(safeUrl('/feeds/SECRETTOKEN/artikel.csv')).toBe('/feeds/…/artikel.csv');
    expect(safeUrl('/api/items/data?search=Name')).toBe('/api/items/data');
    expect(safeUrl('http://[')).toBe('(unlesbare Adresse)');
  });

  it('a logged request has method, path and id, never cookies, tokens or bodies', () => {
    let text = '';
    const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) });
    const log = makeLog('info', sink);
    const request = {
      id: 'r1',
      method: 'POST',
      url: '/api/session?x=geheim1',
      headers: { cookie: 'geheim2', authorization: 'geheim3' },
      body: { password: 'geheim4' },
    };
    log.error(
      { req: request, err: Object.assign(new Error('kaputt'), { config: { token: 'geheim5' } }) },
      'request failed',
    );
    expect(JSON.parse(text)).toMatchObject({
      req: { id: 'r1', method: 'POST', url: '/api/session' },
      err: { message: 'kaputt' },
    });
    expect(text).not.toContain('geheim');
  });
});
