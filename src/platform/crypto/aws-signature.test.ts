import { expect, it } from 'vitest';
import { canonicalQuery, signatureOf, signedAddress } from './aws-signature.ts';

it('REP-19 the signature of a request equals that of Amazon’s published test suite (get-vanilla)', () => {
  const request = { method: 'GET', url: new URL('https://example.amazonaws.com/'), headers: {}, body: '' };
  const access = {
    keyId: 'AKIDEXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  };
  expect(signatureOf(request, access, new Date('2015-08-30T12:36:00Z'))).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  });
});

it('query parameters are signed in sorted order, as in the test suite (get-vanilla-query-order-key-case)', () => {
  const url = new URL(`https://example.amazonaws.com/?${canonicalQuery({ Param2: 'value2', Param1: 'value1' })}`);
  const access = {
    keyId: 'AKIDEXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  };
  const { authorization } = signatureOf(
    { method: 'GET', url, headers: {}, body: '' },
    access,
    new Date('2015-08-30T12:36:00Z'),
  );
  expect(authorization).toContain('Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500');
});

it('a signed address equals the example of Amazon’s manual (query string authentication of S3)', () => {
  const access = {
    keyId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 's3',
  };
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
  expect(signedAddress(url, {}, access, { now: new Date('2013-05-24T00:00:00Z'), seconds: 86_400 })).toBe(
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});
