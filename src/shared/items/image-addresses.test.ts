import { describe, expect, test } from 'vitest';
import { addressesOf, firstAddress } from './image-addresses.ts';

const [one, two] = ['https://a.example/1.jpg', 'https://b.example/2.jpg?w=1,2;3|4'];

describe('several addresses of pictures in one value', () => {
  test.each(['\n', '\r\n', ',', ';', '|', ' ', '\t', ', ', '; ', ' | ', ' ; ', ' \n', ';;', ',\n\n'])(
    'ITE-01, ITE-05: are parted by %j where an address follows',
    (mark) => {
      expect(addressesOf(`${one}${mark}${two}`)).toEqual([one, two]);
      expect(addressesOf(`${mark}${two}${mark}${one}${mark}`)).toEqual([two, one]);
      expect(firstAddress(`${one}${mark}//cdn.example/3.jpg`)).toBe(one);
    },
  );

  test('marks inside an address stay, and so does an address in an address', () => {
    for (const address of [
      'https://cdn.example/w_100,h_200;q_80/a b.jpg',
      'https://cdn.example/?url=https://a.example/1.jpg|x',
      'HTTP://A.EXAMPLE/1.JPG',
    ])
      expect(addressesOf(address)).toEqual([address]);
    expect(addressesOf(`${one},HTTPS://a.example/2.jpg`)).toHaveLength(2);
    expect(addressesOf('a.jpg; b.jpg\nc.jpg')).toEqual(['a.jpg; b.jpg', 'c.jpg']);
  });

  test('ITE-05: a list of JSON is its texts; what only looks like one stays a text', () => {
    expect(addressesOf(JSON.stringify([one, two]))).toEqual([one, two]);
    expect(addressesOf(' [ "https:\\/\\/a.example\\/1.jpg" , "" ] ')).toEqual([one]);
    expect(addressesOf('[]')).toEqual([]);
    for (const text of ['[1]', '["a', `[{"url":"x"}]`, '[a.jpg]', '["a",1]']) expect(addressesOf(text)).toEqual([text]);
  });

  test('T4: a value of nothing but marks is passed in no time', () => {
    const began = performance.now();
    expect(addressesOf(`x${';'.repeat(300_000)}${' '.repeat(300_000)}${'\t,'.repeat(300_000)}y`)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
