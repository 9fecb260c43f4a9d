import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { FieldsProvider, useFields } from './fields-context.tsx';

function Names() {
  return useFields()
    .fields.map(({ name }) => name)
    .join();
}

describe('fields context', () => {
  it('CON-08 useFields without a provider throws an error that names the missing provider', () => {
    expect(() => renderToString(createElement(Names))).toThrow('useFields must be used within a FieldsProvider');
  });

  it('returns the fields of the provider', () => {
    const fields = [{ name: 'Titel', value: 'Titel', origin: 'import' as const }];
    // oxlint-disable-next-line react/no-children-prop -- a test file holds no JSX
    expect(renderToString(createElement(FieldsProvider, { fields, children: createElement(Names) }))).toBe('Titel');
  });
});
