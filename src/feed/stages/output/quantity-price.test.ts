import { expect, it } from 'vitest';
import { StockFields } from '#shared/exports/stock-fields.ts';
import { findStockFields } from './quantity-price.ts';

const found = (fields: string, named: Partial<StockFields> = {}) =>
  findStockFields(fields.split(','), StockFields.parse(named));

it('HDR-03 the stock is recognised under the names of the channel templates', () => {
  expect(found('ean,condition,id_offer,price,minimum_price,count')).toEqual({
    id: ['ean', 'id_offer'],
    stock: ['count'],
    price: ['price'],
  });
  expect(found('SKU,Title,List Price,Strikethrough Price,Total Ship To Home Quantity')).toEqual({
    id: ['SKU'],
    stock: ['Total Ship To Home Quantity'],
    price: ['List Price'],
  });
  expect(found('sku,price,stock_quantity').stock).toEqual(['stock_quantity']);
  expect(found('id,price,inventory,quantity_to_sell_on_facebook').stock).toEqual([
    'inventory',
    'quantity_to_sell_on_facebook',
  ]);
  expect(found('item_id,price,inventory_quantity').stock).toEqual(['inventory_quantity']);
});

it('HDR-03 a name that is the stock at one channel only is not taken for it elsewhere, unless it was chosen', () => {
  const pads = 'sku,price,list_price,Count';
  expect(found(pads)).toEqual({ id: ['sku'], stock: [], price: ['price'] });
  expect(found(pads, { stock: 'Count' }).stock).toEqual(['Count']);
});
