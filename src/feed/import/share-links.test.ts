import { expect, it } from 'vitest';
import { nextcloudFile, requireShared, sharedFile } from './share-links.ts';

const id = '1AbC_dEf-GhIjKlMnOpQrStUvWxYz0123456789';
const sheets = `https://docs.google.com/spreadsheets/d/${id}`;

it.each([
  [`${sheets}/edit?usp=sharing`, `${sheets}/export?format=csv`],
  [`${sheets}/edit?gid=42#gid=42`, `${sheets}/export?format=csv&gid=42`],
  [`${sheets}/edit#gid=0`, `${sheets}/export?format=csv&gid=0`],
  [sheets, `${sheets}/export?format=csv`],
  [`${sheets}/edit?gid=0#gid=77`, `${sheets}/export?format=csv&gid=77`],
  [`https://docs.google.com/a/firma.de/spreadsheets/d/${id}/edit`, `${sheets}/export?format=csv`],
  [
    'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ/pubhtml?gid=7&single=true',
    'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ/pub?output=csv&single=true&gid=7',
  ],
  [
    `https://drive.google.com/file/d/${id}/view?usp=sharing`,
    `https://drive.usercontent.google.com/download?export=download&confirm=t&id=${id}`,
  ],
  [
    `https://drive.google.com/file/d/${id}/view?resourcekey=0-aB`,
    `https://drive.usercontent.google.com/download?export=download&confirm=t&id=${id}&resourcekey=0-aB`,
  ],
  [
    `https://drive.google.com/open?id=${id}`,
    `https://drive.usercontent.google.com/download?export=download&confirm=t&id=${id}`,
  ],
  [
    'https://www.dropbox.com/scl/fi/abc/artikel.csv?rlkey=xyz&dl=0',
    'https://www.dropbox.com/scl/fi/abc/artikel.csv?rlkey=xyz&dl=1',
  ],
  [
    'https://firma.sharepoint.com/:x:/s/Team/EaBc?e=4%3a1',
    'https://firma.sharepoint.com/:x:/s/Team/EaBc?e=4%3A1&download=1',
  ],
])('the share link %s is converted into the address of the file', (link, address) => {
  expect(sharedFile(link)?.address).toBe(address);
});

it.each([
  'https://shop.example/artikel.csv',
  `${sheets}/export?format=xlsx`,
  'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ/pub?output=csv',
  'https://docs.google.com/document/d/1AbC_dEf-GhIjKl/edit',
  'https://drive.google.com/drive/folders/1AbC_dEf-GhIjKl',
  'https://docs.google.com.evil.example/spreadsheets/d/1AbC_dEf-GhIjKl/edit',
  'https://www.dropbox.com/home/artikel.csv',
  'ftp://docs.google.com/spreadsheets/d/1AbC_dEf-GhIjKl/edit',
  'kein Link',
])('%s is not converted', (link) => {
  expect(sharedFile(link)).toBeUndefined();
});

it('a Nextcloud share link is converted if it was answered with an HTML page', () => {
  const token = 'aB3dE6gH9jK2mN5';
  const behind = (link: string, type = 'text/html; charset=UTF-8') => nextcloudFile(link, type)?.address;
  expect(behind(`https://cloud.example/s/${token}`)).toBe(`https://cloud.example/s/${token}/download`);
  expect(behind(`https://firma.example/wolke/index.php/s/${token}/?dir=/#x`)).toBe(
    `https://firma.example/wolke/index.php/s/${token}/download?dir=/`,
  );
  expect(behind(`https://cloud.example/s/${token}`, 'text/csv')).toBeUndefined();
  expect(behind(`https://cloud.example/s/${token}/download`)).toBeUndefined();
  expect(behind('https://cloud.example/s/kurz')).toBeUndefined();
});

it('an HTML page behind a share link is refused, with advice to share the file', () => {
  const shared = { service: 'Google Tabellen', address: sheets };
  expect(() => requireShared(shared, 'text/html; charset=utf-8')).toThrow(/Google Tabellen .+ freigegeben|frei, und/u);
  expect(() => requireShared(shared, 'text/csv')).not.toThrow();
});
