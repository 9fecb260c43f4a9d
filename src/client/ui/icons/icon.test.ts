import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import IconCopy from 'virtual:icons/copy';
import { expect, it } from 'vitest';
import { icon } from './icon.tsx';

it('an icon of lines has its size, the width of its lines and the given attributes', () => {
  const given = { size: 16, stroke: 1.5, className: 'a', 'aria-hidden': true };
  expect(renderToStaticMarkup(createElement(IconCopy, given))).toMatch(
    /^<svg xmlns="[^"]+" viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="1.5" class="a" aria-hidden="true">(<path d="[^"]+"><\/path>){2}<\/svg>$/,
  );
});

it('a filled icon has the colour of the text and no lines', () => {
  expect(renderToStaticMarkup(createElement(icon(['M1 1h2v2z'], true)))).toMatch(
    /width="24" height="24" fill="currentColor"><path d="M1 1h2v2z"><\/path><\/svg>$/,
  );
});
