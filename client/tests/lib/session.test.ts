import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from '../../src/lib/router.svelte';
import { cleanCode, codeEms, leaveSeat, nameSeat, seatIn, seats, takeSeat, ticketIn } from '../../src/lib/session';

beforeEach(() => localStorage.clear());

describe('seats', () => {
  it('are found again by their code', () => {
    takeSeat({ code: 'K7QX', player: 'p3', token: 's', name: 'Ali' });
    expect(seatIn('K7QX')).toMatchObject({ player: 'p3', token: 's' });
    expect(seatIn('AAAA')).toBeNull();
  });

  it('are one per game, newest first, and can be left', () => {
    takeSeat({ code: 'AAAA', player: 'p1', token: '1', name: '' });
    takeSeat({ code: 'BBBB', player: 'p1', token: '2', name: '' });
    takeSeat({ code: 'AAAA', player: 'p2', token: '3', name: '' });
    expect(seats().map((s) => s.code)[0]).toBe('AAAA');
    expect(seats()).toHaveLength(2);
    leaveSeat('AAAA');
    expect(seatIn('AAAA')).toBeNull();
  });

  it('learn the name that the server gave', () => {
    takeSeat({ code: 'AAAA', player: 'p1', token: '1', name: '' });
    nameSeat('AAAA', 'Anna 2');
    nameSeat('BBBB', 'nobody');
    expect(seats()).toMatchObject([{ code: 'AAAA', token: '1', name: 'Anna 2' }]);
  });

  it('survive a spoiled store', () => {
    localStorage.setItem('varv.seats', '{nonsense');
    expect(seats()).toEqual([]);
    takeSeat({ code: 'CCCC', player: 'p1', token: '1', name: '' });
    expect(seatIn('CCCC')).not.toBeNull();
  });
});

describe('codes and links', () => {
  it.each([[' k7 qx ', 'K7QX'], ['k7-qx', 'K7QX'], ['abcdefgh', 'ABCDEF']])('%s is %s', (typed, code) => expect(cleanCode(typed)).toBe(code));

  it.each([
    ['http://x/g/K7QX#abc', 'abc'], ['http://x/g/K7QX#rejoin=a%2Bc', 'a+c'], ['#ticket=s', 's'], ['#ticket=%', '%'], ['#50%', '50%'], ['http://x/g/K7QX', null],
  ])('the ticket of %s is %s', (link, ticket) => expect(ticketIn(link)).toBe(ticket));

  // As measured in the display face at its weight, with .015em between letters.
  it.each([['M', 0.839], ['W', 0.862], ['N', 0.615], ['4', 0.533], ['Q', 0.525]])('has room for %s', (letter, width) =>
    expect(codeEms(letter)).toBeGreaterThanOrEqual(width + 0.015));
});

describe('addresses', () => {
  it.each([
    ['/', '', { name: 'start', about: false }],
    ['/about', '', { name: 'start', about: true }],
    ['/', '#new', { name: 'create', bots: false }],
    ['/', '#try', { name: 'create', bots: true }],
    ['/g/k7qx', '', { name: 'game', code: 'K7QX', rejoin: null }],
    ['/g/K7QX', '#t1', { name: 'game', code: 'K7QX', rejoin: 't1' }],
    ['/g/K7QX/history', '', { name: 'history', code: 'K7QX' }],
    ['/screen/K7QX', '#ticket=z', { name: 'screen', code: 'K7QX', ticket: 'z' }],
    ['/how', '', { name: 'how' }],
    ['/elsewhere', '', { name: 'start', about: false }],
  ])('%s%s', (path, hash, route) => expect(parse(path, hash)).toEqual(route));
});
