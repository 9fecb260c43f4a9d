import { expect, test } from 'vitest';
import { rawConnection } from '#engine/testing/raw-connection.ts';
import { boundValue } from '#platform/duckdb/local-connection.ts';
import { duck, statement } from '#platform/duckdb/sql.ts';
import { textList } from './text-list.ts';

test('a list of texts is passed to DuckDB unchanged, whatever its texts contain', async () => {
  const connection = await rawConnection(1);
  const lists = [
    ['a'],
    [''],
    ['', 'b', ''],
    ['a\nb', 'c'],
    ['\n', '\u001f', '\u001e', 'Ü'],
    ['\n\u001f\u001e\ue000', 'a', ''],
  ];
  for (const list of lists) {
    const { sql, values } = statement(duck`SELECT ${textList(list)} AS l`);
    const rows = (await connection.run(sql, values.map(boundValue))).getRowsJS();
    expect(await rows).toEqual([[list]]);
  }
  connection.closeSync();
});
