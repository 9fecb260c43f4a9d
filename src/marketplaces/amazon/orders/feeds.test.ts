import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Egress } from '#platform/egress/egress.ts';
import { amazonConnector } from '#marketplaces/amazon/connector.ts';
import type { CancelAction, RefundAction, ReturnAction } from '#marketplaces/orders-port.ts';
import { readTree, textAt, elements } from '#marketplaces/sandbox/order-book/feed-tree.ts';
import { feedDocument, messageId } from './feed-messages.ts';

const at = new Date('2026-03-01T10:00:00Z');
const cancel: CancelAction = {
  kind: 'cancel',
  order: '028-1',
  line: '<L&"1\'>',
  idemKey: 'schlüssel',
  orderedAt: at,
  quantity: 1,
  ordered: 3,
  reason: 'BuyerCanceled',
  cents: 1399,
  currency: 'EUR',
};
const refund: RefundAction = {
  ...cancel,
  kind: 'refund',
  cents: 5,
  reason: 'GeneralAdjustment',
  line: 'L\u0000\ud800',
};

describe('feed documents', () => {
  it('OIM-03 contain the ordered actions, to the cent, with all values escaped', () => {
    const root = readTree(feedDocument('WIR & <Co>', 'POST_PAYMENT_ADJUSTMENT_DATA', [cancel, refund]));
    expect(textAt(root, 'Header', 'MerchantIdentifier')).toBe('WIR & <Co>');
    const items = elements(root, 'Message', 'OrderAdjustment', 'AdjustedItem');
    const told = (name: string) => items.map((item) => textAt(item, name));
    expect(told('AmazonOrderItemCode')).toEqual([cancel.line, 'L\ufffd']);
    expect(told('AdjustmentReason')).toEqual(['CustomerCancel', 'GeneralAdjustment']);
    expect(told('QuantityCancelled')).toEqual(['1', '']);
    const amounts = items.flatMap((item) => elements(item, 'ItemPriceAdjustments', 'Component', 'Amount'));
    expect(amounts.map(({ text, attributes }) => [text, attributes['currency']])).toEqual([
      ['13.99', 'EUR'],
      ['0.05', 'EUR'],
    ]);
    const whole = readTree(feedDocument('WIR', 'POST_ORDER_ACKNOWLEDGEMENT_DATA', [{ ...cancel, quantity: 3 }]));
    expect(textAt(whole, 'Message', 'OrderAcknowledgement', 'StatusCode')).toBe('Failure');
    expect(textAt(whole, 'Message', 'OrderAcknowledgement', 'Item', 'CancelReason')).toBe('BuyerCanceled');
  });

  it('OIM-03 number a message by its action, with the same number on every attempt', () => {
    expect(messageId('a')).toMatch(/^[1-9]\d{0,15}$/u);
    expect(messageId('a')).toBe(messageId('a'));
    expect(messageId('a')).not.toBe(messageId('b'));
  });
});

describe('the upload of feed documents', () => {
  let close: (() => void) | undefined;
  afterEach(() => close?.());

  /** A marketplace that returns an address for documents. */
  const namer = async (
    named: (own: string) => string,
    more: (path: string, own: string) => string | object | undefined = () => undefined,
  ) => {
    const calls: { path: string; token: string | undefined }[] = [];
    let own = '';
    const answerOf = ({ url: path = '', headers }: IncomingMessage) => {
      calls.push({ path, token: [headers['x-amz-access-token']].flat()[0] });
      const other = more(path, own);
      if (other !== undefined) return [200, other] as const;
      if (path === '/token') return [200, { access_token: 'geheim', expires_in: 3600 }] as const;
      if (path.endsWith('/documents')) return [201, { feedDocumentId: 'd', url: named(own) }] as const;
      if (path.endsWith('/feeds')) return [202, { feedId: '1' }] as const;
      return [path === '/moved' ? 302 : 200, {}] as const;
    };
    const server = createServer((request, response) => {
      const [status, body] = answerOf(request);
      request
        .resume()
        .on('end', () =>
          response
            .writeHead(status, { location: `${own}/elsewhere` })
            .end(typeof body === 'string' ? body : JSON.stringify(body)),
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    own = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    const egress = new Egress({ allowLoopback: false, own: new Set([own]) });
    const credentials = { clientId: 'c', clientSecret: 'c', refreshToken: 'c' };
    const place = { marketplace: 'M1', sellerId: 'WIR', currency: 'EUR' };
    const account = { ...place, ...credentials, apiUrl: own, tokenUrl: `${own}/token` };
    return { port: amazonConnector({ egress, clock: { now: () => at } }, account).orders, calls };
  };

  it('OIM-03 a document is sent only to the address that Amazon named, without the token', async () => {
    const { port, calls } = await namer((own) => `${own}/place?key=1`);
    expect(await port?.act(cancel)).toMatchObject({ state: 'submitted', reference: '1' });
    expect(calls.map(({ path }) => path)).toEqual([
      '/token',
      '/feeds/2021-06-30/documents',
      '/place?key=1',
      '/feeds/2021-06-30/feeds',
    ]);
    expect(calls.map(({ token }) => token)).toEqual([undefined, 'geheim', undefined, 'geheim']);
  });

  it('OIM-03 free pieces of a line cannot be cancelled as a refund: the refusal says what can be done', async () => {
    const { port, calls } = await namer((own) => `${own}/place?key=1`);
    const { kind: _, ...on } = refund;
    const free = { ...on, kind: 'cancel', quantity: 1, ordered: 2, reason: 'NoInventory', cents: 0 } as const;
    const answer = await port?.act(free);
    expect(answer).toMatchObject({ state: 'refused', issues: [{ field: 'cents' }] });
    expect(answer?.issues[0]?.message).toContain('Bitte stornieren Sie alle Stücke der Position');
    expect(calls).toEqual([]);
    // The whole line is cancelled without a refund.
    expect(await port?.act({ ...free, quantity: 2 })).toMatchObject({ state: 'submitted' });
  });

  it('OIM-03 a return that was already refunded in full is done without a request to Amazon', async () => {
    const { port, calls } = await namer((own) => `${own}/place?key=1`);
    const paidBack: ReturnAction = { ...refund, kind: 'return', quantity: 1, reason: 'no Reason', cents: 0 };
    expect(await port?.act(paidBack)).toEqual({ state: 'done', reference: '', issues: [] });
    expect(calls).toEqual([]);
    const answers = await port?.bundle?.act([paidBack, { ...paidBack, idemKey: 'b', cents: 1 }]);
    expect(answers?.map(({ state }) => state)).toEqual(['done', 'submitted']);
  });

  it('OIM-03 the report of a feed is fetched once for all its actions, since Amazon allows about one a minute', async () => {
    const refunds = ['a', 'b', 'c'].map((idemKey) => ({ ...refund, idemKey }));
    const failed = `<Result><MessageID>${messageId('b')}</MessageID><ResultCode>Error</ResultCode><ResultMessageCode>1</ResultMessageCode><ResultDescription>Nein</ResultDescription></Result>`;
    const summary =
      '<ProcessingSummary><MessagesProcessed>3</MessagesProcessed><MessagesSuccessful>2</MessagesSuccessful><MessagesWithError>1</MessagesWithError></ProcessingSummary>';
    const report = `<AmazonEnvelope><MessageType>ProcessingReport</MessageType><Message><MessageID>1</MessageID><ProcessingReport><StatusCode>Complete</StatusCode>${summary}${failed}</ProcessingReport></Message></AmazonEnvelope>`;
    const feed = { feedId: '1', createdTime: at.toISOString(), processingStatus: 'DONE', resultFeedDocumentId: 'r' };
    const { port, calls } = await namer(
      () => '',
      (path, own) => {
        if (path.endsWith('/feeds/1')) return feed;
        if (path.includes('/documents/r')) return { feedDocumentId: 'r', url: `${own}/report` };
        return path === '/report' ? report : undefined;
      },
    );
    const states: unknown[] = [];
    for (const one of refunds) states.push((await port?.readBack(one, { at, reference: '1' }))?.state);
    expect(states).toEqual(['done', 'refused', 'done']);
    expect(calls.filter(({ path }) => path === '/report' || path.includes('/documents/'))).toHaveLength(2);
  });

  it('OIM-03 an address that is unencrypted, internal or redirects is refused, and no feed is created', async () => {
    const cases = [
      [() => 'http://example.com/place', 'refused'],
      [() => 'https://169.254.169.254/latest/meta-data', 'retryable'],
      [() => 'https://10.0.0.7/place', 'retryable'],
      [(own: string) => `${own}/moved`, 'retryable'],
    ] as const;
    for (const [named, expected] of cases) {
      const { port, calls } = await namer(named);
      const outcome = await port?.act(cancel).then(
        ({ state }) => state,
        (error: unknown) => (error instanceof Object && 'kind' in error ? error.kind : error),
      );
      expect([named('x'), outcome]).toEqual([named('x'), expected]);
      expect(calls.map(({ path }) => path).filter((path) => path.endsWith('/feeds') || path === '/elsewhere')).toEqual(
        [],
      );
      close?.();
    }
  });
});
