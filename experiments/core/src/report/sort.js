for (const table of document.querySelectorAll('table.sort')) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const number = text => {
    const found = /^[^a-z0-9]*?([+-]?\d+(\.\d+)?)/i.exec(text);
    return found ? Number(found[1]) : null;
  };
  // An interval stays on one line; names may be long.
  for (const cell of body.querySelectorAll('td'))
    if (number(cell.textContent) !== null && cell.textContent.length < 36) cell.classList.add('number');
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.textContent = head.textContent;
    button.title = 'Sort by this column';
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const falls = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
      const sign = falls ? -1 : 1;
      const rows = [...body.rows].map(row => {
        const text = row.cells[column].textContent.trim();
        return { row, text, value: number(text) };
      });
      const numeric = rows.some(row => row.value !== null);
      rows.sort((a, b) => {
        if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
        if (numeric && a.value !== b.value) return sign * (a.value - b.value);
        return sign * a.text.localeCompare(b.text);
      });
      body.append(...rows.map(row => row.row));
    });
  });
}
