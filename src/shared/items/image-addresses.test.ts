import { describe, expect, test } from 'vitest';
import { addressesOf, firstAddress } from './image-addresses.ts';
import { processorMs } from '../../../test/stages/processor-time.ts';

const [one, two] = ['https://a.example/1.jpg', 'https://b.example/2.jpg?w=1,2;3|4'];

describe('several picture addresses in one value', () => {
  test.each(['\n', '\r\n', ',', ';', '|', ' ', '\t', ', ', '; ', ' | ', ' ; ', ' \n', ';;', ',\n\n'])(
    'ITE-01, ITE-05: are split at %j if an address follows',
    (mark) => {
      expect(addressesOf(`${one}${mark}${two}`)).toEqual([one, two]);
      expect(addressesOf(`${mark}${two}${mark}${one}${mark}`)).toEqual([two, one]);
      expect(firstAddress(`${one}${mark}//cdn.example/3.jpg`)).toBe(one);
    },
  );

  test('separators inside an address are kept, and so is an address within an address', () => {
    for (const address of [
      'https://cdn.example/w_100,h_200;q_80/a b.jpg',
      'https://cdn.example/?url=https://a.example/1.jpg|x',
      'HTTP://A.EXAMPLE/1.JPG',
    ])
      expect(addressesOf(address)).toEqual([address]);
    expect(addressesOf(`${one},HTTPS://a.example/2.jpg`)).toHaveLength(2);
    expect(addressesOf('a.jpg; b.jpg\nc.jpg')).toEqual(['a.jpg; b.jpg', 'c.jpg']);
  });

  test('ITE-05: a JSON list yields its texts; text that only looks like one is unchanged', () => {
    expect(addressesOf(JSON.stringify([one, two]))).toEqual([one, two]);
    expect(addressesOf(' [ "https:\\/\\/a.example\\/1.jpg" , "" ] ')).toEqual([one]);
    expect(addressesOf('[]')).toEqual([]);
    for (const text of ['[1]', '["a', `[{"url":"x"}]`, '[a.jpg]', '["a",1]']) expect(addressesOf(text)).toEqual([text]);
  });

  test('T4: a value of nothing but separators takes less than 2 s', async () => {
    const value = `x${';'.repeat(300_000)}${' '.repeat(300_000)}${'\t,'.repeat(300_000)}y`;
    expect(await processorMs(() => expect(addressesOf(value)).toHaveLength(1))).toBeLessThan(2000);
  });
});
