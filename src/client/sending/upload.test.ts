import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startImport, uploadOrders } from './upload.ts';

class FakeRequest {
  upload = {};
  status = 500;
  responseText = '';
  onabort = () => undefined;
  onload = () => undefined;
  onerror = () => undefined;
  onloadend = () => undefined;
  open = () => undefined;
  setRequestHeader = () => undefined;
  send = () => undefined;
  end(how: 'abort' | 'load' | 'error') {
    this[`on${how}`]();
    this.onloadend();
  }
  abort = () => this.end('abort');
}

describe('a file being uploaded', () => {
  const page = new EventTarget();
  let request: FakeRequest;
  beforeEach(() => {
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
    request = new FakeRequest();
    vi.stubGlobal(
      'XMLHttpRequest',
      vi.fn(function () {
        return request;
      }),
    );
  });
  afterEach(() => vi.unstubAllGlobals());
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const file = new File(['sku\n1\n'], 'artikel.csv');

  it.each([
    ['arrives', 'load'],
    ['breaks', 'error'],
  ] as const)('makes the page ask before it is closed until the file %s', async (_what, how) => {
    const sent = uploadOrders('laden', file).catch(() => undefined);
    await vi.waitFor(() => expect(asks()).toBe(true));
    request.end(how);
    await sent;
    expect(asks()).toBe(false);
  });

  it('makes the page ask no more after an abort, and never if the server fetches the file itself', async () => {
    const stop = new AbortController();
    const more = { options: {}, onProgress: () => undefined, signal: stop.signal };
    const importing = startImport('m', { source: { file }, ...more }).catch(() => undefined);
    await vi.waitFor(() => expect(asks()).toBe(true));
    stop.abort();
    await importing;
    expect(asks()).toBe(false);
    void startImport('m', { source: { url: 'https://beispiel.de/a.csv' }, ...more }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asks()).toBe(false);
  });
});
