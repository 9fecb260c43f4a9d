import { beginsArticleNumber, numberText, withoutEndZeros } from '#feed/import/reader/xlsx/xlsx-values.ts';

/** A cell as it is written: its type, its value in the attribute of that type, and the text that it shows. */
export type CellValue = {
  type: string;
  value: string;
  date: string;
  time: string;
  truth: string;
  text: string;
  isError: boolean;
  shown: string;
};

/** Returns the blanks that the file stores as a count, at most as many as a cell may hold. */
export const spaces = (count: number, most: number): string => ' '.repeat(Math.min(count, most));

/** Returns the text of a cell as the same cell of an Excel workbook would give it: numbers with a point, dates as ISO texts. */
export function cellText(cell: CellValue): string {
  if (cell.isError) return cell.shown;
  switch (cell.type) {
    case 'float':
    case 'percentage':
    case 'currency':
      return articleNumber(numberText(cell.value.trim()), cell.shown.trim());
    case 'date':
      return dateText(cell.date);
    case 'time':
      return durationText(cell.time);
    case 'boolean':
      return cell.truth === '' ? '' : cell.truth === 'true' ? 'true' : 'false';
    default:
      return cell.shown === '' ? cell.text : cell.shown;
  }
}

/** Returns an article number with its format's leading zeros or letters: 11 is shown as 00011, 12 as ART-0012. */
function articleNumber(number: string, shown: string): string {
  if (!/^\d+$/u.test(number) || !shown.endsWith(number)) return number;
  const filled = shown.slice(0, -number.length);
  const before = withoutEndZeros(filled);
  return filled !== '' && (before === '' || beginsArticleNumber(before, before !== filled)) ? shown : number;
}

/** Returns a date, without a time at midnight, rounded to the second as for .xlsx: computed times are off by a millionth. */
function dateText(text: string): string {
  const [, whole = text, fraction = '0'] = /^(.*T\d{2}:\d{2}:\d{2})\.(\d+)Z?$/u.exec(text) ?? [];
  const time =
    Number(`0.${fraction}`) < 0.5 ? whole : new Date(Date.parse(`${whole}Z`) + 1000).toISOString().slice(0, 19);
  return time.replace(/T00:00:00Z?$/u, '');
}

/** Returns PT08H30M00S as 08:30:00, rounded to the second; any other text unchanged. */
function durationText(text: string): string {
  const found = /^PT(\d+)H(\d+)M(\d+(?:[.,]\d+)?)S$/u.exec(text);
  if (!found) return text;
  const [, hours = '', minutes = '', seconds = ''] = found;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Math.round(Number(seconds.replace(',', '.')));
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
