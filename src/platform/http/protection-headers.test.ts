import { describe, expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { makeServer } from './server.ts';

describe('protective response headers', () => {
  const headersOf = async (sent: Record<string, string>) => {
    const { trustProxy } = readConfig({ KONTOR_TRUST_PROXY: '1' });
    const app = await makeServer({ log: makeLog('error'), identify: async () => null, trustProxy });
    app.get('/file', (_request, reply) => reply.type('text/html').send('<script>alert(1)</script>'));
    const { headers } = await app.inject({ method: 'GET', url: '/file', headers: sent });
    await app.close();
    return headers;
  };

  it('a response that is no page is sandboxed, and not framed, embedded or cached', async () => {
    expect(await headersOf({})).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cache-control': 'no-store',
    });
  });

  it('HSTS is sent only over https', async () => {
    expect((await headersOf({}))['strict-transport-security']).toBeUndefined();
    expect((await headersOf({ 'x-forwarded-proto': 'https' }))['strict-transport-security']).toBe('max-age=31536000');
  });
});
