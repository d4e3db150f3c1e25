"""VTK's XML files as maxwell_dg writes them: unstructured grids of Lagrange cells (.vtu), grids whose pieces are in
several such files (.pvtu), and time series of them (.pvd).

Arrays may be ASCII, inline base64, or appended (base64 or raw), compressed by zlib or not.
"""

from __future__ import annotations

import base64
import pathlib
import re
import xml.etree.ElementTree as xml
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from . import lagrange
from .errors import ResultsError
from .grid import Grid

if TYPE_CHECKING:
    from .kinds import Array, PathLike, Series

_TYPES = {"Float32": "f4", "Float64": "f8", "Int8": "i1", "UInt8": "u1", "Int32": "i4", "UInt32": "u4", "Int64": "i8",
          "UInt64": "u8"}
_VERTICES = {5: 3, 10: 4, 69: 3, 71: 4}  # by VTK's number of a type of cell: linear and Lagrange triangles, tetrahedra


class _Source:
    """The arrays of one file. `appended` are the bytes after the underscore of its AppendedData, or None."""

    def __init__(self, file: PathLike, root: xml.Element, appended: bytes | None, appended_is_raw: bool) -> None:
        self.file = file
        self.appended, self.appended_is_raw = appended, appended_is_raw
        order = "<" if root.get("byte_order", "LittleEndian") == "LittleEndian" else ">"
        self.byte_order = order
        header = root.get("header_type", "UInt32")
        if header not in ("UInt32", "UInt64"):
            raise ResultsError(f"{file}: has lengths of type {header}; it is damaged")
        self.header = np.dtype(order + _TYPES[header])
        compressor = root.get("compressor")
        if compressor not in (None, "vtkZLibDataCompressor"):
            raise ResultsError(f"{file}: is compressed by {compressor}; write it with zlib, or not compressed")
        self.compressed = compressor is not None

    def array(self, element: xml.Element) -> Array:
        """The values of a DataArray, [tuples] or [tuples, components]."""
        try:
            return self._array(element, element.get("Name", ""))
        except (ValueError, IndexError, TypeError, OverflowError, zlib.error) as error:
            raise ResultsError(f"{self.file}: array {element.get('Name')} is damaged: {error}") from error

    def _array(self, element: xml.Element, name: str) -> Array:
        kind = _TYPES.get(element.get("type", ""))
        if kind is None:
            raise ResultsError(f"{self.file}: array {name} has values of type {element.get('type')}, which is not read")
        dtype = np.dtype(self.byte_order + kind)
        form = element.get("format", "ascii")
        if form == "ascii":
            values = np.array((element.text or "").split(), dtype=dtype)
        elif form == "binary":
            values = np.frombuffer(self._decoded((element.text or "").strip().encode()), dtype)
        else:
            offset = int(element.get("offset", "0"))
            if self.appended is None or offset > len(self.appended):
                raise ResultsError(f"{self.file}: array {name} is not in the file; it is cut off")
            read = self._raw if self.appended_is_raw else self._decoded
            values = np.frombuffer(read(self.appended[offset:]), dtype)
        components = int(element.get("NumberOfComponents", "1"))
        return values.reshape(-1, components) if components > 1 else values

    def _raw(self, data: bytes) -> bytes:
        size = self.header.itemsize
        if not self.compressed:
            (length,) = np.frombuffer(data[:size], self.header)
            return data[size : size + int(length)]
        count = int(np.frombuffer(data[:size], self.header)[0])
        lengths = np.frombuffer(data[: size * (3 + count)], self.header)[3:]
        return self._inflated(data[size * (3 + count) :], lengths)

    def _decoded(self, text: bytes) -> bytes:
        """Header and data are encoded one by one where compressed, together where not."""
        size = self.header.itemsize

        def encoded(length: int) -> int:
            return 4 * -(-length // 3)

        if not self.compressed:
            (length,) = np.frombuffer(base64.b64decode(text[: encoded(size)])[:size], self.header)
            return base64.b64decode(text[: encoded(size + int(length))])[size : size + int(length)]
        (count,) = np.frombuffer(base64.b64decode(text[: encoded(size)])[:size], self.header)
        head = encoded(size * (3 + int(count)))
        lengths = np.frombuffer(base64.b64decode(text[:head])[: size * (3 + int(count))], self.header)[3:]
        return self._inflated(base64.b64decode(text[head : head + encoded(int(lengths.sum()))]), lengths)

    @staticmethod
    def _inflated(data: bytes, lengths: Array) -> bytes:
        ends = np.cumsum(lengths).astype(int)
        return b"".join(zlib.decompress(data[end - int(length) : end]) for end, length in zip(ends, lengths))


def _parse(file: PathLike) -> tuple[xml.Element, bytes | None, bool]:
    """The XML tree, the bytes of the AppendedData, and whether those are raw."""
    try:
        data = pathlib.Path(file).read_bytes()
    except OSError as error:
        raise ResultsError(f"{file}: cannot be read: {error.strerror}") from error
    appended = re.search(rb'<AppendedData\s+encoding="(\w+)"\s*>\s*_', data)
    is_raw = appended is not None and appended.group(1) == b"raw"
    text = data if appended is None else data[: appended.start()] + b"</VTKFile>"
    try:
        root = xml.fromstring(text)
    except xml.ParseError as error:
        raise ResultsError(f"{file}: is no whole XML file: {error}") from error
    if root.tag != "VTKFile":
        raise ResultsError(f"{file}: is no file of VTK's: it begins with <{root.tag}>")
    return root, (None if appended is None else data[appended.end() :]), is_raw


def read_vtu(file: PathLike) -> Grid:
    """The grid of a .vtu or .pvtu file: all its cells are triangles, or all tetrahedra, of one order. Arrays are decoded
    when first asked for."""
    root, appended, is_raw = _parse(file)
    if root.get("type") == "PUnstructuredGrid":
        return _joined(file, root)
    piece = root.find("UnstructuredGrid/Piece")
    if piece is None:
        raise ResultsError(f"{file}: holds no unstructured grid")
    source = _Source(file, root, appended, is_raw)

    def arrays(section: str) -> dict[str, xml.Element]:
        return {element.attrib["Name"]: element for element in piece.iterfind(f"{section}/DataArray")}

    try:
        cells = {name: source.array(element) for name, element in arrays("Cells").items()}
        points = piece.find("Points/DataArray")
        if points is None:
            raise ResultsError(f"{file}: has no points; it is damaged")
        positions = source.array(points).astype(float)
        kinds = np.unique(cells["types"])
        if len(kinds) != 1 or int(kinds[0]) not in _VERTICES:
            raise ResultsError(f"{file}: has cells of types {kinds.tolist()}; read are triangles alone or tetrahedra alone")
        vertices = _VERTICES[int(kinds[0])]
        sizes = np.diff(cells["offsets"], prepend=0)
        order = lagrange.order_of(int(sizes[0]), vertices)
        if order is None or (sizes != sizes[0]).any():
            raise ResultsError(f"{file}: its cells are not of one order")
        nodes = cells["connectivity"].reshape(len(sizes), int(sizes[0]))

        def whole(element: xml.Element, count: int) -> Array:
            values = source.array(element)
            if len(values) != count:
                raise ResultsError(f"{file}: array {element.get('Name')} has {len(values)} of {count} values; the file is "
                                   "damaged")
            return values

        def point_array(element: xml.Element) -> Callable[[], Array]:
            return lambda: whole(element, len(positions))[nodes]

        def cell_array(element: xml.Element) -> Callable[[], Array]:
            return lambda: whole(element, len(sizes))

        return Grid(
            order=order,
            positions=positions[nodes],
            fields={name: point_array(element) for name, element in arrays("PointData").items()},
            cells={name: cell_array(element) for name, element in arrays("CellData").items()},
            file=file,
        )
    except (AttributeError, KeyError, IndexError, ValueError, TypeError) as error:
        raise ResultsError(f"{file}: is damaged: {error!r}") from error


def _joined(file: PathLike, root: xml.Element) -> Grid:
    """The grid of a .pvtu file: the cells of its pieces, one piece after the other."""
    pieces = [read_vtu(pathlib.Path(file).parent / piece.get("Source", "")) for piece in root.iter("Piece")]
    if not pieces:
        raise ResultsError(f"{file}: names no piece; it is damaged")
    if len({piece.positions.shape[1:] for piece in pieces}) > 1:
        raise ResultsError(f"{file}: its pieces have cells of different kinds; they are not of one run")

    def joined(section: str, name: str) -> Callable[[], Array]:
        return lambda: np.concatenate([getattr(piece, section)[name] for piece in pieces])

    return Grid(
        order=pieces[0].order,
        positions=np.concatenate([piece.positions for piece in pieces]),
        fields={name: joined("fields", name) for name in pieces[0].fields},
        cells={name: joined("cells", name) for name in pieces[0].cells},
        file=file,
    )


def read_pvd(file: PathLike) -> Series:
    """[(time, file)] of a time series; files are beside it."""
    root, _, _ = _parse(file)
    folder = pathlib.Path(file).parent
    try:
        return [(float(entry.attrib["timestep"]), folder / entry.attrib["file"]) for entry in root.iter("DataSet")]
    except (KeyError, ValueError) as error:
        raise ResultsError(f"{file}: is damaged: a snapshot has no time or no file: {error}") from error
