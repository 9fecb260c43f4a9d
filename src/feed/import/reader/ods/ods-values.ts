import { numberText } from '#feed/import/reader/xlsx/xlsx-values.ts';

/** A cell as it is written: its type, its value in the attribute of that type, and what it shows. */
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

/** Blanks that are written as a number, no more than a cell may hold. */
export const spaces = (count: number, most: number): string => ' '.repeat(Math.min(count, most));

/** The text of a cell, as the same cell of an Excel workbook would give it: numbers with a point, dates as ISO texts. */
export function cellText(cell: CellValue): string {
  if (cell.isError) return cell.shown;
  switch (cell.type) {
    case 'float':
    case 'percentage':
    case 'currency':
      return withZeros(numberText(cell.value.trim()), cell.shown.trim());
    case 'date':
      return cell.date.replace(/T00:00:00(?:\.0+)?Z?$/u, '');
    case 'time':
      return durationText(cell.time);
    case 'boolean':
      return cell.truth === '' ? '' : cell.truth === 'true' ? 'true' : 'false';
    default:
      return cell.shown === '' ? cell.text : cell.shown;
  }
}

/** An article number that a format fills up: 11 is shown as 00011. */
const withZeros = (number: string, shown: string): string =>
  /^0\d+$/u.test(shown) && shown.replace(/^0+(?=\d)/u, '') === number ? shown : number;

/** PT08H30M00S as 8:30:00, as Excel's durations are read. */
function durationText(text: string): string {
  const found = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/u.exec(text);
  if (!found) return text;
  const [, hours = '', minutes = '', seconds = ''] = found;
  return `${Number(hours)}:${minutes.padStart(2, '0')}:${seconds.padStart(2, '0')}`;
}
