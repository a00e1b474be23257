// Names beside points, where there is room: to the right, left, above, below; else the number alone.
page.place = (svg, points, left, width, height) => {
  const taken = points.map(({ x, y, r }) => [x - r, y - r, x + r, y + r]);
  const clear = (box) =>
    box[0] >= left && box[2] <= width && box[1] >= 0 && box[3] <= height &&
    taken.every((other) => box[2] <= other[0] || box[0] >= other[2] || box[3] <= other[1] || box[1] >= other[3]);
  const layer = d3.select(svg).append("g").attr("class", "names").attr("text-anchor", "start").attr("aria-hidden", "true");
  for (const point of points) {
    if (!point.name) continue;
    for (const text of [point.name, point.number].filter(Boolean)) {
      const node = layer.append("text").text(text);
      if (point.strong) node.attr("class", "strong");
      const { width: wide, height: high } = node.node().getBBox();
      const gap = point.r + 3;
      const spots = [];
      for (const up of [0, -0.8, 0.8, -1.6, 1.6]) {
        const y = point.y - high / 2 + up * high;
        spots.push([point.x + gap, y], [point.x - gap - wide, y]);
      }
      spots.push([point.x - wide / 2, point.y - gap - high], [point.x - wide / 2, point.y + gap]);
      const spot = spots.map(([x, y]) => [x, y, x + wide, y + high]).find(clear);
      if (!spot) {
        node.remove();
        continue;
      }
      node.attr("x", spot[0]).attr("y", spot[1] + 0.78 * high);
      taken.push(spot);
      break;
    }
  }
};
