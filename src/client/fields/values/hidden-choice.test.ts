import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HiddenChoice } from './hidden-choice.tsx';

it('HDR-05 a choice is rendered as two hidden inputs, its type and its value, named by its purpose', () => {
  const made = renderToStaticMarkup(
    createElement(HiddenChoice, { purpose: 'querys.0.field', type: '_field', value: 'Größe "L"' }),
  );
  expect(made).toBe(
    '<input type="hidden" name="querys.0.field.type" value="_field"/>' +
      '<input type="hidden" name="querys.0.field.value" value="Größe &quot;L&quot;"/>',
  );
});
