import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { openObject } from './file-source.ts';

it('a bucket is not read further once a file is closed, even if nobody began to read it', async () => {
  const answers: ServerResponse[] = [];
  const store = createServer((_request, response) => {
    answers.push(response);
    response.writeHead(200, { 'content-length': 1_000_000 }).write(Buffer.alloc(1000));
  });
  store.listen(0, '127.0.0.1');
  await once(store, 'listening');
  const address = store.address();
  const bucket = new Bucket({
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    region: 'eu',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'bucket',
    prefix: '',
  });
  onTestFinished(async () => {
    await bucket.close();
    store.closeAllConnections();
    store.close();
  });
  const opened = await openObject(bucket, 'C1/a', { object: 'a', bytes: 1_000_000, sha256: '' });
  const [answer] = answers;
  if (answer === undefined) throw new Error('nothing was requested');
  expect(answer.closed).toBe(false);
  const closed = once(answer, 'close');
  await opened.close();
  await closed;
});
