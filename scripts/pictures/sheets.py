"""Contact sheets, one per size, theme and language: all pictures of a kind on a few large ones."""

from pathlib import Path

from PIL import Image, ImageDraw

ROW, THUMB = 8, 360


def contact_sheets(taken: Path) -> None:
    """For each folder of pictures there."""
    for folder in sorted(path for path in taken.iterdir() if path.is_dir()):
        pictures = sorted(folder.glob("*.png"))
        tall = folder.name.startswith("phone")
        per = 3 * ROW if tall else 12
        for start in range(0, len(pictures), per):
            _sheet(pictures[start : start + per], taken / f"{folder.name}-{start // per + 1}.png")


def _sheet(pictures: list[Path], target: Path) -> None:
    thumbs = []
    for path in pictures:
        with Image.open(path) as picture:
            wide = THUMB if picture.width < 1000 else 2 * THUMB
            thumb = picture.convert("RGB").resize(
                (wide, round(picture.height * wide / picture.width)), Image.Resampling.LANCZOS
            )
            thumbs.append((path.stem, thumb.crop((0, 0, wide, min(thumb.height, 4 * THUMB)))))
    columns = ROW if thumbs[0][1].width == THUMB else ROW // 2
    rows = [thumbs[i : i + columns] for i in range(0, len(thumbs), columns)]
    highest = [max(thumb.height for _, thumb in row) + 24 for row in rows]
    sheet = Image.new("RGB", (columns * (thumbs[0][1].width + 8), sum(highest)), "#808080")
    draw, top = ImageDraw.Draw(sheet), 0
    for row, high in zip(rows, highest, strict=True):
        for column, (name, thumb) in enumerate(row):
            left = column * (thumb.width + 8)
            draw.text((left + 4, top + 6), name, fill="white")
            sheet.paste(thumb, (left, top + 20))
        top += high
    sheet.save(target)
